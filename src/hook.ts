// The entry of every hook, in words that the oldest Node understands: there it ends before anything else is loaded.
const [major = 0, minor = 0, patch = 0] = process.versions.node.split('.').map(Number);
const isNewEnough =
  major >= 26 ||
  (major === 24 && minor >= 15) ||
  (major === 22 && (minor > 22 || (minor === 22 && patch >= 3)));
const ignore = () => {
  process.exitCode = 0;
};
process.on('uncaughtException', ignore);
process.on('unhandledRejection', ignore);
if (isNewEnough) import('./hook-main.ts').then(({ main }) => main()).catch(ignore);

export {};
