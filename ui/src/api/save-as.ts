type SaveTarget = { createWritable(): Promise<WritableStream<Uint8Array>> };
type Picker = (options: { suggestedName: string }) => Promise<SaveTarget>;

/** Where to save a file, by the browser's own chooser: `canceled`, or undefined where the browser has none. */
export async function chooseTarget(suggestedName: string): Promise<SaveTarget | 'canceled' | undefined> {
  const picker = (window as { showSaveFilePicker?: Picker }).showSaveFilePicker;
  if (!picker) return undefined;
  try {
    return await picker.call(window, { suggestedName });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return 'canceled';
    // A browser that knows it and does not allow it here: the file is saved as a download.
    return undefined;
  }
}
