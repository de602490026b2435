import { isCode, isTest, type SourceFile, type StructureCheck } from './source-tree.ts'

const configFile = 'server/src/kernel/config.ts'

/** The fields of an interface that is declared in this text. */
const fieldsOf = (text: string, name: string): string[] => {
  const [, body = ''] = new RegExp(`^export interface ${name} \\{\\n([\\s\\S]*?)^\\}`, 'm').exec(text) ?? []
  return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, field = '']) => field)
}

/** Whether a field is read somewhere: by its dot, or by taking the object apart. */
const isRead = (texts: readonly string[], field: string): boolean => {
  const taken = new RegExp(`\\.${field}\\b|\\{[^{}]*\\b${field}\\b[^{}]*\\}\\s*(?::\\s*[\\w<>'| ]+)?\\s*(?:=|\\))`)
  return texts.some((text) => taken.test(text))
}

export const settingsAreRead: StructureCheck = {
  name: 'every setting of the server is read',
  find(files: readonly SourceFile[]) {
    const config = files.find(({ path }) => path === configFile)?.text
    if (config === undefined) return []
    const fields = ['Config', 'Limits'].flatMap((name) => fieldsOf(config, name).map((field) => ({ name, field })))
    if (fields.length === 0) return [{ path: configFile, message: 'no setting was found in it' }]
    const texts = files
      .filter(
        ({ path }) => path.startsWith('server/src/') && !path.endsWith('/config.ts') && isCode(path) && !isTest(path),
      )
      .map(({ text }) => text)
    return fields
      .filter(({ field }) => !isRead(texts, field))
      .map(({ name, field }) => ({ path: configFile, message: `nothing reads ${name}.${field}` }))
  },
}
