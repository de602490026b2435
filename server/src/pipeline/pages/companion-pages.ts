import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { definePage, forever, type Page } from './page.ts'
import { assetHeaders, cameraPage, pageOf } from './room-pages.ts'

/** Where `scripts/build-clients.ts companion` puts the export. */
const companionFolder = path.resolve(import.meta.dirname, '../../../../companion/dist')

const howToBuild = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Side view</title></head>
<body>
<main>
<h1>The page for phones is not built on this server</h1>
<p>Whoever runs it builds it once, in the folder of the service, and starts the service anew:</p>
<pre>node_modules/.bin/node scripts/build-clients.ts companion</pre>
</main>
</body>
</html>
`

const scriptsBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))

/**
 * The phone companion, by path: its page, and the scripts that it loads later, whose names hold the hash of their content.
 * Without an export, a page that says how to make one.
 */
export const companionPages = (folder = companionFolder): ReadonlyMap<string, Page> => {
  // It loads the reader of codes when a code is to be read.
  const page = (bytes: Buffer) => pageOf(bytes, cameraPage, "'self'")
  try {
    const html = readFileSync(path.join(folder, 'index.html'))
    const assets = scriptsBelow(folder).map((name): [string, Page] => {
      const bytes = readFileSync(path.join(folder, name))
      return [
        `/companion/${name}`,
        definePage({ type: 'text/javascript', bytes, cacheControl: forever, headers: assetHeaders }),
      ]
    })
    return new Map([['/companion/', page(html)], ...assets])
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
    return new Map([['/companion/', page(Buffer.from(howToBuild))]])
  }
}
