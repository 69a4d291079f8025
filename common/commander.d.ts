// The types of commander's own makers, which know the options and arguments of each command. Nothing of them runs.
declare module 'commander' {
  export * from '@commander-js/extra-typings';
}
