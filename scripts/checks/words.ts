import { isTest, type SourceFile, type StructureCheck } from './source-tree.ts'

// The service observes and a person decides: none of these may be the name of a field, whatever its case.
const judging =
  /^(?:scor(?:e|es|ed|ing)|verdicts?|suspici(?:on|ons|ous)|cheat(?:s|ed|er|ing)?|fraud(?:s|ulent)?|risk(?:s|y)?)$/i

const wordsOf = (name: string) => name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
const judges = (name: string) => wordsOf(name).some((word) => judging.test(word))

export const fieldsDoNotJudge: StructureCheck = {
  name: 'no field of the protocol judges a person',
  find(files) {
    return files
      .filter(({ path }) => /^shared-protocol\/(?:src\/.*\.tsx?|generated\/.*\.json)$/.test(path) && !isTest(path))
      .flatMap((file) =>
        [...new Set(fieldsOf(file))].filter(judges).map((name) => ({ path: file.path, message: `field ${name}` })),
      )
  },
}

const fieldsOf = (file: SourceFile) =>
  file.path.endsWith('.json') ? keysOf(JSON.parse(file.text)) : keysOfSource(file.text)

const keysOf = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(keysOf)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keysOf(inner)])
}

const commentOrString = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g

/** Names before a colon. Texts and comments may use the words ("this is never a …"); a quoted name before a colon is a field. */
const keysOfSource = (text: string): string[] => {
  const bare = text.replace(commentOrString, (found, at: number) =>
    /^['"]/.test(found) && /^\s*:/.test(text.slice(at + found.length)) ? found.slice(1, -1) : ' ',
  )
  return [...bare.matchAll(/([A-Za-z_$][\w$.-]*)\s*\??\s*:/g)].map((match) => match[1] ?? '')
}

// Spelled so that these lines do not find themselves.
const privatePlaces = [/(?<![\w.-])\/wor[k]\//, /(?<![\w-])shared\/spe[c]\b/, /(?<![\w)\]])\.librar[y]\b/]

export const nothingPrivate: StructureCheck = {
  name: 'no file names a path of the machine it was written on',
  find(files) {
    return files.flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          privatePlaces.some((place) => place.test(line))
            ? [{ path: `${path}:${index + 1}`, message: line.trim().slice(0, 100) }]
            : [],
        ),
    )
  },
}
