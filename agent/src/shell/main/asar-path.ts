/** Where a file of the application's archive lies when the build left it outside; any other path as it is. */
export const besideArchive = (path: string): string => path.replace(/([\\/]app\.asar)(?=[\\/])/, '$1.unpacked')
