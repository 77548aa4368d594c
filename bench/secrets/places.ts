import type { SecretKind } from './secret-kind.ts';

export type Place = readonly [name: string, write: (value: string, kind: string) => string];

const TOKEN_PLACES: readonly Place[] = [
  ['flag', (value) => `deployer login --with ${value} --yes`],
  ['header', (value) => `curl -H 'Authorization: token ${value}' https://acme.io/v1`],
  ['env', (value, kind) => `export ${upper(kind)}=${value}`],
  ['json', (value) => `{"service": "acme", "value": "${value}", "region": "eu"}`],
  ['code', (value) => `const client = new Client('${value}', { retries: 3 });`],
  ['url', (value) => `fetch https://acme.io/v1/items?with=${value}&page=2`],
  ['sql', (value) => `INSERT INTO settings VALUES ('acme', '${value}');`],
  ['prose', (value) => `Use ${value} for it, I made it this morning.`],
];

const NAMED_PLACES: readonly Place[] = [
  ['flag', (value, kind) => `deployer --${kind.replaceAll('_', '-')} ${value} --yes`],
  ['header', (value, kind) => `X-${kind.replaceAll('_', '-')}: ${value}`],
  ['env', (value, kind) => `export ${upper(kind)}=${value}`],
  ['yaml', (value, kind) => `services:\n  acme:\n    ${kind}: ${value}\n    region: eu`],
  ['json', (value, kind) => `{"service": "acme", "${kind}": "${value}"}`],
  ['code', (value, kind) => `const ${camel(kind)} = "${value}";`],
  ['call', (value, kind) => `define('${upper(kind)}', '${value}');`],
  ['prose', (value, kind) => `The ${kind.replaceAll('_', ' ')} is ${value}, please add it.`],
];

const PASSWORD_PLACES: readonly Place[] = [
  ['flag', (value) => `restore --user app --password ${value} --all`],
  ['env', (value) => `DB_USER=app\nDB_PASSWORD=${value}\nDB_PORT=5432`],
  ['yaml', (value) => `database:\n  user: app\n  password: ${value}\n  port: 5432`],
  ['json', (value) => `{"user": "app", "password": "${value}"}`],
  ['code', (value) => `connect({ user: 'app', password: '${value}' });`],
  ['url', (value) => `postgres://app:${value}@db.acme.io:5432/app`],
  ['sql', (value) => `CREATE USER app IDENTIFIED BY '${value}';`],
  ['prose', (value) => `The password is ${value} if you need it.`],
];

/** Texts that may surround a command or a line of a file. */
const FRAMES: readonly Place[] = [
  ['plain', (text) => text],
  ['sentence', (text) => `Please run this again:\n\n${text}\n\nThen look at the log.`],
  ['fence', (text) => `\`\`\`sh\n${text}\n\`\`\``],
  ['trace', (text) => `+ ${text}\n+ exit 0`],
  ['listed', (text) => `Steps:\n\n1. Open a shell.\n2. Then:\n${text}\n3. Done.`],
  ['numbered', (text) => text.replace(/^/gm, '    12→')],
  ['escaped', (text) => `{"command": ${JSON.stringify(text)}, "timeout": 10}`],
  ['diff', (text) => `@@ -1 +1 @@\n${text.replace(/^/gm, '+')}`],
];

/** The eight places of a kind. */
export function placesOf({ sort }: SecretKind): readonly Place[] {
  if (sort === 'place') return FRAMES;
  if (sort === 'password') return PASSWORD_PLACES;
  return sort === 'named' ? NAMED_PLACES : TOKEN_PLACES;
}

function upper(kind: string): string {
  return kind.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
}

function camel(kind: string): string {
  return kind.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
