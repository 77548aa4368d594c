import { expect, test } from 'vitest';
import { redact } from '../redact.ts';

const SECRET = 'gHxGwWiRGNE5PHk2Qz9t';
const HEX = '9f86d081884c7d659a2feaa0c55ad015';
const CRYPT = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0xLrU6tY2kP9wD4hJ1nQwErTyUiOpAsDfGhJkLzXcVbNm';
const B64 = 'Zm9vYmFyK2Jhei9xdXgxMjM0NTY3ODkwYWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4';

test.each([
  ['composer', SECRET, `composer config http-basic.repo.acme.io deploy ${SECRET}`],
  ['bundler', SECRET, `bundle config set --local gems.acme.io deploy:${SECRET}`],
  ['rabbitmqctl', SECRET, `rabbitmqctl add_user app ${SECRET}`],
  ['minio', SECRET, `mc alias set m http://h:9000 admin ${SECRET}`],
  ['snyk', SECRET, `snyk auth ${SECRET}`],
  ['codecov', HEX, `codecov -t ${HEX}`],
  ['jenkins', HEX, `java -jar jenkins-cli.jar -s https://ci.acme.io -auth me:${HEX} who-am-i`],
  ['yarn', SECRET, `npmAuthIdent: "deploy:${SECRET}"`],
  ['expect', SECRET, `expect "Password:"\nsend "${SECRET}\\r"`],
  ['hardhat', `0x${HEX}${HEX}`, `accounts: ["0x${HEX}${HEX}"]`],
  ['wallet', `0x${HEX}${HEX}`, `new ethers.Wallet("0x${HEX}${HEX}", provider)`],
  ['web key', CRYPT.slice(0, 43), `{"kty":"EC","crv":"P-256","x":"${B64}","d":"${CRYPT.slice(0, 43)}"}`],
  ['web key, d first', CRYPT.slice(0, 43), `{"d": "${CRYPT.slice(0, 43)}", "kty": "OKP"}`],
  ['saml', B64, `SAMLResponse=${B64}${B64}`],
  ['pkce', CRYPT.slice(0, 43), `code_verifier=${CRYPT.slice(0, 43)}`],
  ['grant', SECRET, `grant_type=authorization_code&code=${SECRET}&redirect_uri=x`],
  ['callback', SECRET, `http://localhost:3000/cb?code=${SECRET}&state=1`],
  ['chap', SECRET, `me * "${SECRET}" *`],
  ['terraform', SECRET, `variable "db_password" {\n  type    = string\n  default = "${SECRET}"\n}`],
  ['yaml block', SECRET, `token: >-\n  ${SECRET}`],
  ['default', SECRET, `DB_PASSWORD=\${DB_PASSWORD:-${SECRET}}`],
  ['plist', SECRET, `<key>APIToken</key>\n\t<string>${SECRET}</string>`],
  ['cisco', SECRET, `enable secret 0 ${SECRET}`],
  ['elastic', SECRET, `PASSWORD elastic = ${SECRET}`],
  ['app password', 'wxqz jkvb hgfd mnpt', 'smtp-password "wxqz jkvb hgfd mnpt"'],
  ['table', SECRET, `| user | password |\n|---|---|\n| app | ${SECRET} |`],
  ['csv', SECRET, `user,password\napp,${SECRET}`],
  ['digest', HEX, `Authorization: Digest username="me", realm="r", nonce="n", uri="/", response="${HEX}"`],
  ['okta', `00${CRYPT.slice(0, 40)}`, `SSWS 00${CRYPT.slice(0, 40)}`],
  ['twilio', HEX, `twilio(accountSid, '${HEX}')`],
  ['algolia', HEX, `algoliasearch('APPID', '${HEX}')`],
  ['infura', HEX, `https://mainnet.infura.io/v3/${HEX}`],
  ['zapier', 'abc12de', 'https://hooks.zapier.com/hooks/catch/1234567/abc12de/'],
  ['putty', B64, `Private-Lines: 1\n${B64}\nPrivate-MAC: ${HEX}`],
  ['bcrypt', CRYPT.slice(0, 53), `bob:$2y$10$${CRYPT.slice(0, 53)}`],
  ['shadow', CRYPT.slice(0, 43), `root:$5$saltsalt$${CRYPT.slice(0, 43)}:19000:0:99999:7:::`],
  [
    'argon2',
    CRYPT.slice(0, 43),
    `$argon2id$v=19$m=65536,t=3,p=4$${CRYPT.slice(0, 22)}$${CRYPT.slice(0, 43)}`,
  ],
  ['paseto', CRYPT.slice(0, 60), `v2.local.${CRYPT.slice(0, 60)}`],
])('is masked: %s', (_, secret, text) => {
  expect(redact(text).text).not.toContain(secret);
  expect(redact(text.replace(/^/gm, '    12→')).text).not.toContain(secret);
  expect(redact(JSON.stringify({ command: text })).text).not.toContain(secret);
});

test.each([
  `tx 0x${HEX}${HEX} was mined`,
  `hashes: ["0x${HEX}${HEX}"]`,
  `{"kty":"EC","x":"${CRYPT}","y":"${CRYPT}"}`,
  `{"name": "shape", "d": "${CRYPT}"}`,
  'see https://acme.io/docs?code=example&state=open',
  '| token | meaning |\n|---|---|\n| expires | when it was issued |',
  'name,token,count\nlogin,refreshable,12',
  'variable "db_password" {\n  type = string\n}\nvariable "region" {\n  default = "eu-central-1"\n}',
  'token: >-\n  the one that was issued\n',
  `DB_PASSWORD=$${'{DB_PASSWORD:-changeme}'}`,
  'password 8 characters long',
  'PASSWORD field = required',
  'the password "from this that with" is no secret',
  'send "hello\\r"',
  'echo $1$2 costs $5$ or $6$',
])('stays readable: %s', (text) => {
  expect(redact(text).text).toBe(text);
});

test.each([
  ['"kty":"EC","d":"', 'web key'],
  ['| password |\n|---|\n', 'table'],
  ['password,token\n', 'csv'],
  ['variable "password" { ', 'terraform'],
  ['Authorization: Digest a="b", ', 'digest'],
  ['a * "b" * ', 'chap'],
])('takes time in proportion to its length: %s', (piece) => {
  const text = piece.repeat(40_000);
  expect(redact(text).text.length).toBeGreaterThan(0);
});
