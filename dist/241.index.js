export const id = 241;
export const ids = [241];
export const modules = {

/***/ 1241:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  describeMistakes: () => (/* binding */ describeMistakes),
  parseScript: () => (/* binding */ parseScript)
});

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
;// CONCATENATED MODULE: ./build/rehearsal/defined.js
/** The object without the keys that have no value. */
const defined = (values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

// EXTERNAL MODULE: ./build/rehearsal/fill-in.js
var fill_in = __webpack_require__(7111);
// EXTERNAL MODULE: ./node_modules/yaml/dist/index.js
var dist = __webpack_require__(8815);
// EXTERNAL MODULE: ./build/nearest.js
var nearest = __webpack_require__(7658);
;// CONCATENATED MODULE: ./build/rehearsal/yaml-reader.js
/** Small readers that turn YAML nodes into typed values and note every mistake with its place. */


const offsetOf = (node, place) => node?.range?.[0] ?? place.offset;
const inside = (place, name, node) => ({
    ...place,
    name,
    offset: offsetOf(node, place),
});
const wrong = (node, place, expected) => place.complain(offsetOf(node, place), (0,dist/* isAlias */.Vj)(node)
    ? `${place.name} must be written out: aliases are not supported.`
    : `${place.name} must be ${expected}.`);
const scalar = (expected, accept) => (node, place) => {
    const value = (0,dist/* isScalar */.jn)(node) ? accept(node.value) : undefined;
    return value === undefined ? wrong(node, place, expected) : value;
};
const yaml_reader_text = scalar("text", (value) => typeof value === "string" ? value : undefined);
const flag = scalar("true or false", (value) => typeof value === "boolean" ? value : undefined);
const wholeNumber = (least, most = Number.MAX_SAFE_INTEGER) => scalar(most === Number.MAX_SAFE_INTEGER
    ? `a whole number of at least ${least}`
    : `a whole number from ${least} to ${most}`, (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most ? Number(value) : undefined);
const oneOf = (...words) => scalar(words.map((word) => `“${word}”`).join(" or "), (value) => words.find((word) => word === value));
const units = { ms: 1, s: 1000, m: 60_000 };
/** A length of time with its unit, in milliseconds. */
const duration = scalar("a time such as 250ms, 2s or 1m", (value) => {
    const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(String(value)) ?? [];
    return amount && unit ? Math.round(Number(amount) * units[unit]) : undefined;
});
const listOf = (item, least = 0) => (node, place) => {
    if (!(0,dist/* isSeq */.oP)(node) || node.items.length < least)
        return wrong(node, place, least > 0 ? "a list that is not empty" : "a list");
    return node.items.flatMap((entry, index) => {
        const value = item(entry, inside(place, `Entry ${index + 1} of ${place.name}`, node));
        return value === undefined ? [] : [value];
    });
};
const entriesOf = (node, place) => {
    if (!(0,dist/* isMap */.jh)(node))
        return wrong(node, place, "a mapping of keys to values");
    return node.items.map(({ key, value }) => [
        (0,dist/* isScalar */.jn)(key) ? String(key.value) : "",
        key,
        value,
    ]);
};
const recordOf = (value, checkKey = () => undefined) => (node, place) => {
    const entries = entriesOf(node, place)?.flatMap(([key, keyNode, valueNode]) => {
        const objection = checkKey(key);
        if (objection)
            place.complain(offsetOf(keyNode, place), objection);
        const read = value(valueNode, inside(place, `“${key}”`, keyNode));
        return read === undefined ? [] : [[key, read]];
    });
    return entries && Object.fromEntries(entries);
};
/** Any JSON value. */
const anything = (node, place) => {
    if ((0,dist/* isMap */.jh)(node))
        return recordOf(anything)(node, place);
    if ((0,dist/* isSeq */.oP)(node))
        return listOf(anything)(node, place);
    if ((0,dist/* isScalar */.jn)(node))
        return node.value;
    return (0,dist/* isAlias */.Vj)(node) ? wrong(node, place, "a value") : null;
};
/** A mapping with known keys only, some of which must be there. */
const object = (shape, ...needed) => (node, place) => {
    const entries = entriesOf(node, place);
    if (!entries)
        return undefined;
    const known = Object.keys(shape);
    const values = new Map();
    for (const [key, keyNode, valueNode] of entries) {
        const reader = Object.hasOwn(shape, key) ? shape[key] : undefined;
        if (reader)
            values.set(key, reader(valueNode, inside(place, `“${key}”`, keyNode)));
        else {
            const meant = (0,nearest/* nearest */.p)(key, known);
            const hint = meant ? `did you mean “${meant}”?` : `known are ${known.join(", ")}.`;
            place.complain(offsetOf(keyNode, place), `${place.name} has no key “${key}”: ${hint}`);
        }
    }
    const missing = needed.filter((key) => !values.has(key));
    for (const key of missing)
        place.complain(offsetOf(node, place), `${place.name} needs “${key}”.`);
    if (needed.some((key) => values.get(key) === undefined))
        return undefined;
    return Object.fromEntries([...values].filter(([, value]) => value !== undefined));
};
/** What `check` objects to, if anything, is a mistake of the whole value. */
const checked = (reader, check) => (node, place) => {
    const value = reader(node, place);
    const objection = value === undefined ? undefined : check(value);
    if (objection)
        place.complain(offsetOf(node, place), `${place.name} ${objection}`);
    return value;
};
const mapped = (reader, change) => (node, place) => {
    const value = reader(node, place);
    return value === undefined ? undefined : change(value);
};
const readYaml = (source, name, read) => {
    const lines = new dist/* LineCounter */.HN();
    const mistakes = [];
    const complain = (offset, message) => {
        const { line, col } = lines.linePos(offset);
        mistakes.push({ line, column: col, message });
    };
    const readAll = () => {
        const document = (0,dist/* parseDocument */.Tp)(source, { lineCounter: lines, prettyErrors: false, schema: "core" });
        for (const { pos, message } of document.errors)
            complain(pos[0], message);
        return mistakes.length > 0 ? undefined : read(document.contents, { name, offset: 0, complain });
    };
    const value = unlessTooDeep(readAll, () => mistakes.push({ line: 1, column: 1, message: `${name} is nested too deeply.` }));
    mistakes.sort((a, b) => a.line - b.line || a.column - b.column);
    return { value, mistakes };
};
/** Readers follow the nesting of the text: the stack ends before the text does. */
const unlessTooDeep = (read, otherwise) => {
    try {
        return read();
    }
    catch (error) {
        if (!(error instanceof RangeError))
            throw error;
        otherwise();
        return undefined;
    }
};

;// CONCATENATED MODULE: ./build/rehearsal/script.js
/** A rehearsal's YAML text → what to seed, what the model does, and what must come of it. docs/rehearsal.md shows the form. */




const toolArguments = (node, place) => {
    const value = anything(node, place);
    if (typeof value === "string" || value === undefined)
        return value;
    if (value && typeof value === "object" && !Array.isArray(value))
        return value;
    place.complain(place.offset, `${place.name} must be a mapping of arguments, or text that is sent as it is.`);
    return undefined;
};
const callShape = {
    tool: yaml_reader_text,
    with: toolArguments,
    expect: oneOf("approved", "denied"),
    steps: ((node, place) => steps(node, place)),
};
const toCall = ({ tool, with: args = {}, expect, steps: turns }) => defined({ name: tool, arguments: args, expect, turns });
const objectionTo = ({ with: args, steps: turns }) => {
    const [broken] = (0,fill_in/* brokenPatterns */.pl)(args);
    if (broken !== undefined)
        return `has a “{{result /${broken}/}}” that is not a regular expression.`;
    const prompt = typeof args === "object" ? args.prompt : undefined;
    return turns && typeof prompt !== "string"
        ? "has “steps” for a sub-agent, but no “with.prompt” to know it by."
        : undefined;
};
const parallelCall = mapped(checked(object(callShape, "tool"), objectionTo), toCall);
const modelError = object({
    status: wholeNumber(400, 599),
    code: yaml_reader_text,
    message: yaml_reader_text,
    retryAfter: wholeNumber(0),
    times: wholeNumber(1),
}, "status");
const usage = mapped(object({ input: wholeNumber(0), output: wholeNumber(0), cached: wholeNumber(0) }, "input", "output"), ({ input, output, cached }) => defined({ inputTokens: input, outputTokens: output, cachedTokens: cached }));
const stepKeys = object({
    say: yaml_reader_text,
    reasoning: yaml_reader_text,
    ...callShape,
    tools: listOf(parallelCall, 1),
    usage,
    finish: yaml_reader_text,
    delay: duration,
    firstByte: duration,
    pieces: wholeNumber(1),
    pause: duration,
    error: modelError,
    hang: flag,
    cut: flag,
});
const step = mapped(checked(stepKeys, (read) => {
    if (read.tool !== undefined && read.tools)
        return "has “tool” and “tools”: list every call under “tools”.";
    const orphan = ["with", "expect", "steps"].find((key) => read[key] !== undefined);
    if (read.tool === undefined && orphan)
        return `has “${orphan}” but no “tool” that it belongs to.`;
    return objectionTo(read);
}), (read) => defined({
    text: read.say,
    reasoning: read.reasoning,
    toolCalls: read.tool === undefined ? read.tools : [toCall({ ...read, tool: read.tool })],
    usage: read.usage,
    finishReason: read.finish,
    delayMs: read.delay,
    firstByteMs: read.firstByte,
    pieces: read.pieces,
    pauseMs: read.pause,
    error: read.error,
    hang: read.hang,
    cut: read.cut,
}));
const steps = listOf(step, 1);
const allowAll = mapped(oneOf("all"), () => ({ allowAllTools: true }));
const allowListed = mapped(listOf(yaml_reader_text), (allowedTools) => ({ allowedTools }));
const allow = (node, place) => node && "items" in node
    ? allowListed(node, place)
    : allowAll(node, { ...place, name: `${place.name}, if not a list of rules,` });
const outside = (path) => path === "" ||
    external_node_path_.posix.isAbsolute(path) ||
    /[\\\0]|^[a-z]:/i.test(path) ||
    external_node_path_.posix.normalize(path).startsWith("..")
    ? `“${path}” must be a path inside the workspace, with forward slashes.`
    : undefined;
/** A file cannot also be a folder. */
const overlap = (files) => {
    const paths = Object.keys(files).map((path) => external_node_path_.posix.normalize(path));
    const folder = paths.find((path) => paths.some((other) => other.startsWith(`${path}/`)));
    return folder === undefined ? undefined : `has “${folder}” as a file and as a folder.`;
};
const script = object({
    name: yaml_reader_text,
    prompt: yaml_reader_text,
    model: yaml_reader_text,
    allow,
    files: checked(recordOf(yaml_reader_text, outside), overlap),
    mcpServers: recordOf(recordOf(anything)),
    steps,
    exitCode: wholeNumber(0, 255),
}, "steps");
const parseScript = (source) => {
    const { value, mistakes } = readYaml(source, "The script", script);
    if (mistakes.length > 0 || !value)
        return { kind: "mistakes", mistakes };
    const { steps: turns, allow: permissions, prompt = "Do the work.", files = {}, mcpServers = {} } = value;
    const { name, model, exitCode } = value;
    return {
        kind: "rehearsal",
        rehearsal: defined({ name, model, permissions, exitCode, prompt, files, mcpServers, turns }),
    };
};
/** One line per mistake, in the form that editors and CI systems turn into links. */
const describeMistakes = (file, mistakes) => mistakes.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`).join("\n");


/***/ })

};
