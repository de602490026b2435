import ts from 'typescript'

/** Objects as long as this, met again, get a name of their own. Characters. */
const long = 240

const { TypeFlags } = ts
const primitive =
  TypeFlags.Any |
  TypeFlags.Unknown |
  TypeFlags.String |
  TypeFlags.Number |
  TypeFlags.BigInt |
  TypeFlags.Boolean |
  TypeFlags.Undefined |
  TypeFlags.Null |
  TypeFlags.Never

type IsPlatform = (file: ts.SourceFile) => boolean

const nameOfPlatform = (type: ts.Type, isPlatform: IsPlatform): string | undefined => {
  const declared = type.getSymbol()?.declarations?.[0]
  if (!declared || !ts.isInterfaceDeclaration(declared) || !isPlatform(declared.getSourceFile())) return undefined
  return type.getSymbol()?.getName()
}

/**
 * Writes types out in full, as plain TypeScript: objects, arrays, tuples, unions, literals and index signatures. What
 * the platform declares (`Response`) keeps its name, and what `named` holds is referred to by it.
 */
export const createTypePrinter = (checker: ts.TypeChecker, isPlatform: IsPlatform) => {
  const names = new Map<string, string>()

  const union = (type: ts.UnionType): string => {
    const parts = type.types.map((part) => {
      const text = print(part)
      return text.includes('=>') ? `(${text})` : text
    })
    const joined = [...new Set(parts)].join(' | ')
    return joined.replace(/\bfalse \| true\b|\btrue \| false\b/, 'boolean')
  }

  const member = (symbol: ts.Symbol): string => {
    const name = /^[A-Za-z_$][\w$]*$/.test(symbol.getName()) ? symbol.getName() : JSON.stringify(symbol.getName())
    const optional = (symbol.flags & ts.SymbolFlags.Optional) !== 0
    return `readonly ${name}${optional ? '?' : ''}: ${print(checker.getTypeOfSymbol(symbol))}`
  }

  const object = (type: ts.Type): string => {
    const indexes = checker
      .getIndexInfosOfType(type)
      .map((info) => `readonly [key: ${print(info.keyType)}]: ${print(info.type)}`)
    const members = [...checker.getPropertiesOfType(type).map(member), ...indexes]
    return members.length === 0 ? '{}' : `{ ${members.join('; ')} }`
  }

  const print = (type: ts.Type): string => {
    const { flags } = type
    if (flags & (TypeFlags.StringLiteral | TypeFlags.NumberLiteral))
      return JSON.stringify((type as ts.LiteralType).value)
    if (flags & (primitive | TypeFlags.BooleanLiteral | TypeFlags.TemplateLiteral)) return checker.typeToString(type)
    if (type.isUnion()) return union(type)
    if (checker.isTupleType(type))
      return `readonly [${checker
        .getTypeArguments(type as ts.TypeReference)
        .map(print)
        .join(', ')}]`
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type as ts.TypeReference)
      return `readonly (${item ? print(item) : 'unknown'})[]`
    }
    const platform = nameOfPlatform(type, isPlatform)
    if (platform) return platform
    if (type.getCallSignatures().length > 0) throw new Error(`cannot write out ${checker.typeToString(type)}`)
    const text = object(type)
    return names.get(text) ?? text
  }

  return {
    /** The type written out; from now on what is the same is referred to by this name. */
    declare(name: string, type: ts.Type): string {
      const text = print(type)
      if (text.startsWith('{') && text.length > long && !names.has(text)) names.set(text, name)
      return text
    },
    print,
  }
}
