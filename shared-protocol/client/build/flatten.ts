import type ts from 'typescript'
import { createTypePrinter } from './print-types.ts'

const header = `// Written out from the service's contract by the build.\n`

const entriesOf = (checker: ts.TypeChecker, type: ts.Type): readonly (readonly [string, ts.Type])[] =>
  checker.getPropertiesOfType(type).map((symbol) => [symbol.getName(), checker.getTypeOfSymbol(symbol)] as const)

/**
 * The declarations of a module that exports nothing but type aliases, with every alias written out in full. Aliases of
 * objects are named first, so that the tables of endpoints and events, which come last, can refer to them.
 */
export const flattenTypes = (program: ts.Program, file: string): string => {
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(file)
  const module = source && checker.getSymbolAtLocation(source)
  if (!module) throw new Error(`${file} is no module`)
  const printer = createTypePrinter(checker, (candidate) => program.isSourceFileDefaultLibrary(candidate))
  const aliases = checker
    .getExportsOfModule(module)
    .map((symbol) => [symbol.getName(), checker.getDeclaredTypeOfSymbol(symbol)] as const)
  const isTable = (name: string) => name === 'Endpoints' || name === 'EventDataByType'
  const parts = aliases
    .filter(([name]) => !isTable(name))
    // Inner objects before those that hold them.
    .sort(([, a], [, b]) => checker.typeToString(a).length - checker.typeToString(b).length)
    .map(([name, type]) => `export type ${name} = ${printer.declare(name, type)}\n`)
  for (const [name, type] of aliases.filter(([name]) => isTable(name))) {
    const rows = entriesOf(checker, type).map(([key, value]) => `  readonly '${key}': ${printer.print(value)}\n`)
    parts.push(`export interface ${name} {\n${rows.join('')}}\n`)
  }
  return [header, ...parts].join('\n')
}
