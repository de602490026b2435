import ts from 'typescript'

/** Whose way of finding modules: bundlers need no ending. */
const resolutions = {
  node: { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
  bundler: { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
} as const

/** What TypeScript 5 has to say about these files at its strictest, one line for each problem; declarations included. */
export const typeCheck = (
  files: readonly string[],
  options: Partial<ts.CompilerOptions>,
  modulesAs: keyof typeof resolutions = 'node',
): string[] => {
  const program = ts.createProgram(files, {
    target: ts.ScriptTarget.ES2022,
    ...resolutions[modulesAs],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    // Every declaration is checked but those of the compiler itself.
    skipLibCheck: false,
    skipDefaultLibCheck: true,
    noEmit: true,
    ...options,
  })
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const place =
      file && start !== undefined ? `${file.fileName}:${file.getLineAndCharacterOfPosition(start).line + 1}` : ''
    return `${place} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
  })
}
