/**
 * Made-up secrets, each put together from pieces so that no scanner takes this file for a leak, and ordinary text that
 * looks a little like them. `secret` is what must be gone; the rest of `text` must stay.
 */
const LOWER = 'q7w2e9r4t1y8u3i6o5p0a2s7d4f9g1h8';
const MIXED = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0xLrU6tY2kP9wD4hJ1n';
const HEX = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const B64 = 'Zm9vYmFyK2Jhei9xdXgxMjM0NTY3ODkwYWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXoxMjM0NTY3ODkwQUJDREVGRw';

/** Not the value itself but where it is to come from. */
const REFERENCE = '$' + '{GITHUB_TOKEN2}';

export type Sample = { name: string; text: string; secret: string; kind: string };

function whole(name: string, secret: string, kind: string): Sample {
  return { name, text: `here: ${secret} end`, secret, kind };
}

function within(
  name: string,
  [before, secret, after]: readonly [before: string, secret: string, after: string],
  kind: string,
): Sample {
  return { name, text: before + secret + after, secret, kind };
}

export const SECRETS: readonly Sample[] = [
  whole('anthropic', `sk-ant-${'api03-'}${MIXED}-${LOWER}AA`, 'anthropic'),
  whole('openai, old', `sk-${MIXED}`, 'openai'),
  whole('openai, project', `sk-${'proj-'}${MIXED}_${LOWER}`, 'openai'),
  whole('openrouter', `sk-${'or-v1-'}${HEX}`, 'openai'),
  ...['p', 'o', 'u', 's', 'r'].map((l) => whole(`github gh${l}_`, `gh${l}_${MIXED.slice(0, 36)}`, 'github')),
  whole('github, fine-grained', `github${'_pat_'}11ABCDEFG0${MIXED}_${LOWER}`, 'github'),
  whole('gitlab', `gl${'pat-'}${MIXED.slice(0, 20)}`, 'gitlab'),
  whole('aws key id', `AK${'IA'}QWERTYUIOPASDF23`, 'aws-key-id'),
  whole('aws session key id', `AS${'IA'}QWERTYUIOPASDF23`, 'aws-key-id'),
  within(
    'aws secret beside its id',
    [`AK${'IA'}QWERTYUIOPASDF23,`, `${MIXED.slice(0, 38)}/+`, '\n'],
    'aws-secret',
  ),
  within('aws secret by name', ['aws_secret_access_key = ', `${MIXED.slice(0, 38)}/+`, '\n'], 'secret'),
  whole('google', `AI${'za'}Sy${MIXED.slice(0, 33)}`, 'google'),
  whole('google oauth', `ya${'29.'}a0Af${MIXED}`, 'google-oauth'),
  whole('google client secret', `GOC${'SPX-'}${MIXED.slice(0, 28)}`, 'google-oauth'),
  ...['a', 'b', 'p', 'r', 's'].map((l) =>
    whole(`slack xox${l}`, `xox${l}-123456789012-${MIXED.slice(0, 24)}`, 'slack'),
  ),
  within(
    'slack webhook',
    ['https://hooks.slack.com/services/', `T0${'1234567'}/B0${'7654321'}/${MIXED.slice(0, 24)}`, ' '],
    'webhook',
  ),
  within(
    'discord webhook',
    ['https://discord.com/api/webhooks/123456789012345678/', `${MIXED}${LOWER}`, ''],
    'webhook',
  ),
  whole('stripe live', `sk${'_live_'}${MIXED.slice(0, 24)}`, 'stripe'),
  whole('stripe restricted', `rk${'_live_'}${MIXED.slice(0, 24)}`, 'stripe'),
  whole('stripe test', `sk${'_test_'}${MIXED.slice(0, 24)}`, 'stripe'),
  whole('stripe webhook', `wh${'sec_'}${MIXED.slice(0, 32)}`, 'api-token'),
  whole('npm', `npm${'_'}${MIXED.slice(0, 36)}`, 'npm'),
  whole('pypi', `pypi-${'AgEIcHlwaS5vcmc'}${MIXED}${LOWER}`, 'pypi'),
  whole('hugging face', `hf${'_'}${MIXED.slice(0, 34)}`, 'huggingface'),
  whole('sendgrid', `SG.${MIXED.slice(0, 22)}.${MIXED.slice(0, 43)}`, 'sendgrid'),
  whole('twilio', `SK${HEX.slice(0, 32)}`, 'twilio'),
  whole('digitalocean', `dop${'_v1_'}${HEX}`, 'digitalocean'),
  whole('discord bot', `MTIzNDU2Nzg5MDEyMzQ1Njc4.Gx${'aB1c'}.${MIXED.slice(0, 38)}`, 'discord'),
  whole('telegram bot', `123456789:AA${MIXED.slice(0, 33)}`, 'telegram'),
  within(
    'azure storage',
    ['DefaultEndpointsProtocol=https;AccountName=x;AccountKey=', `${B64.slice(0, 86)}==`, ';'],
    'azure-key',
  ),
  whole('jwt', `ey${'JhbGciOiJIUzI1NiJ9'}.ey${'JzdWIiOiIxMjM0NTY3ODkwIn0'}.${MIXED.slice(0, 43)}`, 'jwt'),
  whole('vault', `hvs${'.'}${MIXED}`, 'api-token'),
  whole('docker', `dckr${'_pat_'}${MIXED.slice(0, 27)}`, 'api-token'),
  whole('linear', `lin${'_api_'}${MIXED.slice(0, 40)}`, 'api-token'),
  whole('perplexity', `pp${'lx-'}${MIXED}`, 'api-token'),
  whole('groq', `gsk${'_'}${MIXED}abcd`, 'api-token'),
  whole('private key', pem('RSA '), 'private-key'),
  whole('openssh key', pem('OPENSSH '), 'private-key'),
  within('private key, cut off', ['cat id\n', pem('').split('\n-----END')[0]!, ''], 'private-key'),
  within('private key in JSON', ['{"private_key": "', pem('').replaceAll('\n', '\\n'), '"}'], 'private-key'),
  within('password in a URL', ['postgres://app:', 'kX9-vQ2.z', '@db.internal:5432/app'], 'url-password'),
  within('password without a user', ['redis://:', 'kX9vQ2zT', '@cache:6379'], 'url-password'),
  within('escaped password in a URL', ['amqp://app:', '%40kX9vQ2%21', '@mq/vhost'], 'url-password'),
  within('password that begins like a variable', ['DB_PASSWORD=', '$ecr3t!Kx9', '\n'], 'password'),
  within('bearer header', ['Authorization: Bearer ', MIXED, '\n'], 'authorization'),
  within('basic header', ['authorization: Basic ', 'dXNlcjpodW50ZXIyMg==', '\n'], 'authorization'),
  within('bearer in a command', ["curl -H 'authorization: bearer ", `${MIXED}`, "' host"], 'authorization'),
  within('curl user', ['curl -s -u admin:', 'kX9vQ2zT7', ' https://host/x'], 'password'),
  within('assignment in code', ['const password = "', 'tr0ub4dor&3', '";'], 'password'),
  within('assignment with a type', ["const apiKey: string = '", LOWER, "';"], 'api-key'),
  within('python', ["db_password='", 'Summer2024x', "'"], 'password'),
  within('env file', ['export DB_PASSWORD=', 'kX9vQ2zT7!', '\nNEXT=1'], 'password'),
  within('env file, run together', ['PGUSER=app\nPGPASSWORD=', 'xK4#mQ2$vL5n', '\nPGPORT=5432'], 'password'),
  within('env token', ['DEPLOY_TOKEN=', LOWER, '\n'], 'token'),
  within('yaml', ['db:\n  password: ', 's3cr3tP4ssw0rd', '\n  host: x'], 'password'),
  within('yaml, an easy one', ['db:\n  password: ', 'hunter2hunter2', '\n  host: x'], 'password'),
  within('yaml, with signs', ['  password: ', 'correct!horse', ''], 'password'),
  within('json', ['{"client_secret": "', LOWER, '", "id": 1}'], 'secret'),
  within('escaped json', [String.raw`{\"apiKey\": \"`, LOWER, String.raw`\", \"a\": 1}`], 'api-key'),
  within('twice escaped json', [String.raw`{\\\"token\\\":\\\"`, LOWER, String.raw`\\\"}`], 'token'),
  within('connection string', ['Server=db;User Id=sa;Password=', 'kX9vQ2zT7', ';Encrypt=true'], 'password'),
  within('query string', ['https://host/x?access_token=', LOWER, '&page=2'], 'token'),
  within('header of a vendor', ['X-Api-Key: ', LOWER, '\n'], 'api-key'),
  within('flag', ['deploy --token ', LOWER, ' --yes'], 'token'),
  within('environment in code', ["os.environ['API_SECRET'] = '", LOWER, "'"], 'secret'),
  within('xml', ['<password>', 'kX9vQ2zT7x', '</password>'], 'password'),
  within('netrc', ['machine host login me password ', 'k7X9v3Q2z1T7', '\n'], 'password'),
  within('npmrc', ['//registry.host/:_authToken=', LOWER, '\n'], 'token'),
  within('cookie', ['Cookie: theme=dark; sessionid=', LOWER, '; lang=en'], 'cookie'),
  within('set-cookie', ['set-cookie: connect.sid=', `s%3A${MIXED}`, '; Path=/; HttpOnly'], 'cookie'),
];

function pem(type: string): string {
  const dashes = '-----';
  const line = `${MIXED}${LOWER}`.slice(0, 64);
  return `${dashes}BEGIN ${type}PRIVATE KEY${dashes}\n${line}\n${line}\nabc=\n${dashes}END ${type}PRIVATE KEY${dashes}`;
}

/** What coding sessions are full of, and what must come back untouched. */
export const HARMLESS: readonly string[] = [
  `commit ${HEX.slice(0, 40)}`,
  `index ${HEX.slice(0, 7)}..${HEX.slice(8, 15)} 100644`,
  `sha256:${HEX}`,
  `"integrity": "sha512-${B64.slice(0, 86)}=="`,
  'id 550e8400-e29b-41d4-a716-446655440000 done',
  `data:image/png;base64,iVBORw0KGgo${B64}${B64}`,
  '/home/me/project/node_modules/token-types/lib/index.d.ts',
  'const token = tokenizer.next();',
  'token = tokens[0]',
  'const token = await getToken(user, password);',
  'password: string;',
  'const body = { user, password: user!.password2 }',
  '  password: hashedPassword2\n',
  '  token: user2.token3.value4\n',
  'password: z.string().min(8).max(100),',
  'apiKey: process.env.OPENAI_API_KEY,',
  "api_key = os.environ['OPENAI_API_KEY']",
  `export TOKEN=${REFERENCE}`,
  'TOKEN=$(cat /run/secrets/token1)',
  'password=<your-password>',
  'API_KEY=your-api-key-here',
  'SECRET_KEY=changeme123',
  'password: "xxxxxxxxxxxx"',
  'password = "********"',
  'max_tokens: 128000, input_tokens=20481024',
  '"cache_read_input_tokens": 12345678',
  'tokenCount = 12345678',
  'const tokenizerPath = "lib/tokenizer2/index.js"',
  'secretName: my-app-tls-secret',
  'The password must have at least 12 characters.',
  'secret: the-quiet-garden',
  'token: "refresh-token"',
  "keyof typeof tokens; type Token = 'identifier' | 'number';",
  'task-1234567890abcdef1234567890 is running on disk-0a1b2c3d4e5f60718293',
  'npm_config_registry=https://registry.host npm_lifecycle_event=test',
  'hf_hub_download(repo_id="bert-base-uncased")',
  'ghp_ tokens start with ghp_ and gho_ is for OAuth',
  'sk-ant-... is the prefix, sk-proj-<key> another',
  'AKIA is the prefix of access keys; AIza of Google keys',
  'see https://example.com:8080/path@version and git@github.com:me/repo.git',
  'http://localhost:3000/@fs/home/me/x.ts',
  'npx create-thing@latest && npm i @scope/name@1.2.3',
  'postgres://user:password@localhost:5432/db',
  `mysql://root:${REFERENCE}@db/app`,
  '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----',
  '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----',
  '-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG\n-----END CERTIFICATE-----',
  'Authorization: Bearer <token>',
  `Authorization: Bearer ${REFERENCE}`,
  `headers: { Authorization: \`Bearer ${REFERENCE}\` }`,
  'Bearer authentication is described in RFC 6750',
  'Cookie: theme=dark; lang=en',
  'document.cookie = name + "=" + value',
  'key: "user-settings-v2", primaryKey: true, sortKey = "createdAt"',
  'if (password.length < 8) throw new Error("password too short")',
  'passwordHash = await bcrypt.hash(password, saltRounds10)',
  "it('rejects a token that expired', () => {})",
  'assert token_type == "bearer"',
  'const secretKeyRef = { name: "db", key: "password" }',
  'pass: 1234 passed, 0 failed',
  'git push origin feature/oauth2-token-refresh',
  'curl -u $USER:$PASS https://host',
  'eyJ is how base64 of {" begins',
  'monkey: "banana1split2", turkey = abc123def456ghi',
  'std::string token = lexer2.next_token3(input4);',
  'DB_PASSWORD=$DB_PASSWORD_FROM_VAULT2',
  'PWD=/home/me/app2/src3',
];
