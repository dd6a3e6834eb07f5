/** What the runtime calls its shell. */
const shell = process.platform === "win32" ? "powershell" : "bash";

/** The rehearsal that runs when no script is given: a small project, an agent that mends it, and one thing it may not do. */
export const defaultScript = `name: A small repair
prompt: The greeting test fails. Find out why, repair it, and publish the change.
allow: [read, write, shell(node check.js)]

files:
  README.md: |
    # Greeter

    \`greet(name)\` greets a person politely.
  greet.js: |
    export const greet = (name) => "Hullo, " + name + "!";
  check.js: |
    import { greet } from "./greet.js";

    const greeting = greet("Ada");
    if (greeting !== "Hello, Ada!") throw new Error("The greeting is wrong: " + greeting);
    console.log("The greeting is right.");
  package.json: |
    { "name": "greeter", "type": "module", "private": true }

steps:
  - reasoning: The test and the code should tell what is wrong.
    say: I will look at the greeting first.
    pieces: 4
    tools:
      - { tool: view, with: { path: greet.js }, expect: approved }
      - { tool: view, with: { path: check.js }, expect: approved }
    usage: { input: 1200, output: 60 }
  - say: There is a typing error in the greeting.
    tool: edit
    with: { path: greet.js, old_str: Hullo, new_str: Hello }
    expect: approved
    usage: { input: 1500, output: 70, cached: 1200 }
  - tool: ${shell}
    with: { command: node check.js, description: Run the check }
    expect: approved
    usage: { input: 1700, output: 40, cached: 1500 }
  - say: The check passes. I will publish the change.
    tool: ${shell}
    with: { command: git push origin main, description: Publish the change }
    expect: denied
    usage: { input: 1800, output: 50, cached: 1700 }
  - say: |
      The greeting had a typing error in \`greet.js\`, which I corrected; the check passes now.
      I could not publish the change: the policy of this run does not allow \`git push\`.
    pieces: 8
    usage: { input: 1900, output: 80, cached: 1800 }

exitCode: 0
`;
