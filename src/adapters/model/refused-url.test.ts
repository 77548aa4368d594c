import { expect, test } from 'vitest';
import { refusedUrl } from './refused-url.ts';

test.each([
  'http://localhost:11434',
  'http://127.0.0.1:8080/v1',
  'http://192.168.1.20:1234',
  'http://[::1]:8080',
  'https://api.example.com/v1',
  'https://169-254.example.com',
])('%s may be asked', (url) => expect(refusedUrl(url)).toBeUndefined());

test.each([
  'file:///etc/passwd',
  'ftp://models.example.com',
  'https://user:word@models.example.com',
  'https://models.example.com@evil.example',
  'https://models.example.com/v1 x',
  'not a url',
  'http://',
])('%s is no URL', (url) => expect(refusedUrl(url)).toContain('is not a URL'));

test.each([
  'http://169.254.169.254/latest/meta-data/',
  'http://169.254.170.2/v2/credentials',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://169.254.43518/',
  'http://[::ffff:169.254.169.254]/',
  'http://[::169.254.169.254]/',
  'http://[fe80::1]/',
  'http://[fd00:ec2::254]/',
  'http://METADATA.google.internal/computeMetadata/v1/',
  'http://metadata.google.internal./',
  'http://100.100.100.200/',
])('%s hands out keys and is not asked', (url) => expect(refusedUrl(url)).toContain('metadata service'));
