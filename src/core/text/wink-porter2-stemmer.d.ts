declare module 'wink-porter2-stemmer' {
  const stem: (word: string) => string;
  // biome-ignore lint/style/noDefaultExport: that is how the package is made.
  export default stem;
}
