/**
 * Commands that steer the client and start no work of the agent. A command that is not listed here (a project's, a
 * plugin's, `/init`, `/review`) hands the agent a prompt.
 */
const CLIENT_COMMANDS = new Set(
  (
    'add-dir agents allowed-tools approvals bashes btw bug chrome clear color compact config context copy cost ctx ' +
    'desktop diff doctor effort exit export extra-usage fast feedback files fork heapdump help hooks ide insights ' +
    'install install-github-app install-slack-app keybindings login logout mcp memory migrate-installer mobile model ' +
    'models new output-style passes permissions plan plugin plugins privacy-settings quit rate-limit-options ' +
    'release-notes reload-plugins remote-control remote-env rename reset resume rewind sandbox settings share skills ' +
    'stats status statusline stickers tag tasks terminal-setup theme themes think-back todos tokens undo upgrade usage ' +
    'version vim voice'
  ).split(' '),
);

/** Conversations about memory itself do not become memory. */
const OWN_COMMAND = /^keepsake:/;

/** `/clear`, `/model opus`: `name` without its slash. */
export function isClientCommand(name: string): boolean {
  return CLIENT_COMMANDS.has(name.toLowerCase()) || OWN_COMMAND.test(name);
}

/** Words after these commands choose a setting or a place; after the others (`/compact keep the API`) they are talk. */
const SETTING = new Set(
  'add-dir agents color config effort export fast ide mcp model models output-style permissions plugin plugins rename resume sandbox settings tag theme'.split(
    ' ',
  ),
);

/** Whether what follows a client's command is a person's sentence. */
export function takesWords(name: string): boolean {
  return !SETTING.has(name.toLowerCase()) && !OWN_COMMAND.test(name);
}
