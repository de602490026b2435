import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** One chapter of the integrator's guide. */
export interface Chapter {
  /** File name without its order and ending: `first-call`. */
  readonly name: string
  readonly file: string
  readonly title: string
  /** Markdown, beginning with the title as its one `#` heading. */
  readonly text: string
}

/** The folder of the chapters, beside the protocol's sources. */
export const guideFolder = (): string => {
  const protocol = createRequire(import.meta.url).resolve('@integrity/protocol/openapi')
  return path.join(path.dirname(protocol), '..', 'guide')
}

/** The guide's chapters in order. A chapter is a file `NN-name.md`. */
export const readGuide = (folder = guideFolder()): Chapter[] =>
  readdirSync(folder)
    .filter((file) => /^\d\d-[a-z-]+\.md$/.test(file))
    .sort()
    .map((file) => {
      const text = readFileSync(path.join(folder, file), 'utf8')
      const title = /^# (.+)$/m.exec(text)?.[1]
      if (!title) throw new Error(`${file} does not begin with its title`)
      return { name: file.slice(3, -3), file, title, text }
    })

/** The whole guide as one Markdown text. */
export const guideText = (chapters: readonly Chapter[]): string =>
  `${chapters.map(({ text }) => text.trim()).join('\n\n')}\n`

/** docs/integrating.md: where to read the guide, with its chapters. */
export const integratingPage = (chapters: readonly Chapter[]): string => `# Integrating

The guide and the reference are one page, served by every running service at \`/docs\`; the interface for tools is at
\`/openapi.json\`. The guide's chapters are kept beside the contract, and a test runs every example in them:

${chapters.map(({ file, title }) => `- [${title}](../shared-protocol/guide/${file})`).join('\n')}

All endpoints in one table: [reference/endpoints.md](reference/endpoints.md). Error codes:
[reference/errors.md](reference/errors.md). What can be collected: [reference/collected.md](reference/collected.md).
`
