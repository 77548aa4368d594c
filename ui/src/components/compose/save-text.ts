/** Hands a text to the browser as a file. */
export function saveText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replace(/[^\p{L}\p{N}._ -]+/gu, '-');
  link.click();
  // The browser reads it a moment later.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
