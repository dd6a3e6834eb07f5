export const id = 576;
export const ids = [576];
export const modules = {

/***/ 8576:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   compileSchema: () => (/* binding */ compileSchema)
/* harmony export */ });
/* unused harmony export structureOutput */
/* harmony import */ var ajv_dist_2020_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2210);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9473);


const mostProblems = 20;
/** Models like to wrap JSON in a fence, with a word before it. */
const candidatesIn = (answer) => [
    answer,
    ...[...answer.matchAll(/```(?:json)?\s*\n([\s\S]*?)\n\s*```/g)].map((fence) => fence[1] ?? "").reverse(),
];
const parse = (answer) => {
    for (const candidate of candidatesIn(answer)) {
        try {
            return { value: JSON.parse(candidate) };
        }
        catch {
            // The next candidate may parse.
        }
    }
    return undefined;
};
const tell = ({ instancePath, message, params }) => `${instancePath || "the answer"} ${message ?? "is invalid"}${"additionalProperty" in params ? ` (${String(params["additionalProperty"])})` : ""}`;
const compileSchema = (schema, source) => {
    try {
        return new ajv_dist_2020_js__WEBPACK_IMPORTED_MODULE_1__.Ajv2020({ allErrors: true, strict: false, validateFormats: false }).compile(schema);
    }
    catch (error) {
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .Failure */ .HR("configuration", `${source} is not a valid JSON Schema: ${(0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .messageOf */ .bD)(error)}`);
    }
};
const structureOutput = ({ file, schema }) => {
    const validate = compileSchema(schema, `COPILOT_SDK_OUTPUT_SCHEMA_FILE: ${file}`);
    const request = `Answer with one JSON value that is valid against this JSON Schema, and with nothing else:\n${JSON.stringify(schema)}`;
    return {
        ask: (prompt) => `${prompt}\n\n${request}`,
        check: (answer) => {
            const parsed = parse(answer);
            if (!parsed)
                return { valid: false, problems: ["the answer is not JSON"] };
            if (validate(parsed.value))
                return { valid: true, value: parsed.value };
            return { valid: false, problems: (validate.errors ?? []).slice(0, mostProblems).map(tell) };
        },
        askAgain: (problems) => `Your answer does not fit the schema:\n${problems.map((problem) => `- ${problem}`).join("\n")}\n\n${request}`,
    };
};


/***/ })

};
