export type Request = {
  command: string | undefined;
  rest: string[];
  json: boolean;
  debug: boolean;
  /** Undefined when the command line says nothing about it. */
  color: boolean | undefined;
};

/** Takes the options of every command out, wherever they are, and finds the command. What follows `--` stays. */
export function readArguments(argv: string[]): Request {
  const stop = argv.indexOf('--');
  const own = stop === -1 ? argv : argv.slice(0, stop);
  const rest: string[] = [];
  const request: Request = { command: undefined, rest, json: false, debug: false, color: undefined };
  for (const word of own) {
    if (word === '--json') request.json = true;
    else if (word === '--debug') request.debug = true;
    else if (word === '--no-color') request.color = false;
    else if (word === '--color') request.color = true;
    else if (request.command === undefined && rest.length === 0 && !word.startsWith('-'))
      request.command = word;
    else rest.push(word);
  }
  if (stop !== -1) rest.push(...argv.slice(stop));
  return request;
}
