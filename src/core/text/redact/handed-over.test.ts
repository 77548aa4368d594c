import { expect, test } from 'vitest';
import { redact } from '../redact.ts';

const SECRET = 'gHxGwWiRGNE5PHk2Qz9t';

test.each([
  `echo ${SECRET} | wrangler secret put API_KEY`,
  `echo -n "${SECRET}" | vercel env add API_TOKEN production`,
  `printf '%s' ${SECRET} | docker login --username app --password-stdin`,
  `new PDO($dsn, "app", "${SECRET}")`,
  `$db = new mysqli("localhost", "app", "${SECRET}", "shop");`,
  `server.login('app', '${SECRET}')`,
  `DriverManager.getConnection(url, "app", "${SECRET}")`,
  `requests.get(url, auth=("app", "${SECRET}"))`,
  `aws ssm put-parameter --name /db --type SecureString --value ${SECRET}`,
  `az keyvault secret set --vault-name v --name db --value ${SECRET}`,
  `lftp -u app,${SECRET} sftp://files.acme.io`,
  `heroku config:set STRIPE_KEY=${SECRET} --app shop`,
])('what is handed over as a secret is masked: %s', (text) => {
  expect(redact(text).text).not.toContain(SECRET);
  expect(redact(JSON.stringify({ command: text })).text).not.toContain(SECRET);
});

test.each([
  `echo ${SECRET} | wc -c`,
  'echo "Building the release" | tee build.log',
  'expect("status", "completed successfully")',
  "connect('click', 'handleTheClick')",
  'CACHE_KEY=linux-node-modules-v2',
  'PRIMARY_KEY=session_id',
  'BUILD_KEY=3f2a91c04f2a91c03f2a91c04f2a91c0',
  'jq --value name data.json',
])('what only looks alike stays readable: %s', (text) => {
  expect(redact(text).text).toBe(text);
});

test('a long hostile line takes time in proportion to its length', () => {
  const text = 'echo a login("a", PDO("a", '.repeat(20_000);
  expect(redact(text).text).toBe(text);
});
