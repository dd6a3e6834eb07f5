import type { Option, OptionValue } from "../src/settings/options.ts";

type Options = Readonly<Record<string, Option>>;
type Outputs = Readonly<Record<string, string>>;

export const renderAction: (options: Options, outputs: Outputs) => Promise<string>;
export const renderReadme: (
  text: string,
  tables: {
    options: Options;
    outputs: Outputs;
    allowedValues: (value: OptionValue) => string;
    failures: readonly { kind: string; exitCode: number; advice: string }[];
  },
) => Promise<string>;
