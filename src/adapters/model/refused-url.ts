/** What is wrong with a model's address; undefined if it may be asked. Addresses of this machine and of the local network may. */
export function refusedUrl(url: string): string | undefined {
  const parsed =
    /^https?:\/\/[^\s/@]+(?:\/[^\s@]*)?$/i.test(url) && URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined) return `${JSON.stringify(url)} is not a URL.`;
  return isMetadataHost(parsed.hostname)
    ? `${parsed.hostname} is the metadata service of cloud machines, not a model server.`
    : undefined;
}

/**
 * Services that give a machine's credentials to any caller from inside: link-local networks, and the names and addresses that
 * large clouds use. `URL` has already normalized other spellings of an IPv4 address.
 */
function isMetadataHost(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return (
    /^169\.254\.\d+\.\d+$/.test(name) ||
    /^\[::(?:ffff:)?a9fe:[\da-f]{1,4}\]$/.test(name) ||
    /^\[fe[89ab][\da-f]:/.test(name) ||
    ['[fd00:ec2::254]', 'metadata.google.internal', 'metadata.goog', '100.100.100.200'].includes(name)
  );
}
