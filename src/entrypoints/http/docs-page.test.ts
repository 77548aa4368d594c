import { expect, test } from 'vitest';
import { docsPage } from './docs-page.ts';

test('what stands in the document is text in the page, wherever it stands', async () => {
  const evil = '<img src=x onerror=alert(1)>"\'`<b>`';
  const schema = {
    type: 'object',
    description: evil,
    properties: { [evil]: { type: 'string', enum: [evil] } },
  };
  const operation = {
    summary: evil,
    tags: [evil],
    operationId: evil,
    parameters: [{ name: evil, in: evil, required: true, description: evil, schema }],
    requestBody: { content: { 'application/json': { schema } } },
    responses: { 200: { description: evil, content: { [evil]: { schema } } } },
  };
  const page = docsPage({
    info: { description: evil, version: evil },
    tags: [{ name: evil, description: evil }],
    paths: { [evil]: { get: operation } },
    components: { schemas: { [evil]: schema } },
  });
  const text = await page.text();
  expect(text).not.toMatch(/<img|<b>"/);
  expect(text).not.toContain('alert(1)>');
  expect(text).toContain('&lt;img');
});
