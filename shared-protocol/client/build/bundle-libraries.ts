import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const imported = /\bfrom\s*['"](?![./])/

/** The folder of the package that a module is in, with its name. */
const packageOf = (module: string): { name: string; folder: string } | undefined => {
  const found = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(module.replaceAll('\\', '/'))
  return found?.[1] && found[2] ? { folder: found[1], name: found[2] } : undefined
}

const licenceIn = (folder: string): string => {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name))
  if (file === undefined) throw new Error(`${folder} has no licence`)
  return readFileSync(join(folder, file), 'utf8').trim()
}

/**
 * Puts what the modules in `out` use of libraries into themselves, so that a page can load them as they lie, and the
 * licences of those libraries beside them.
 */
export const bundleLibraries = async (out: string): Promise<void> => {
  const isOwn = (module: string | undefined) => module !== undefined && dirname(module) === out
  const modules = readdirSync(out).filter((name) => name.endsWith('.js'))
  const licences = new Map<string, string>()
  for (const name of modules.filter((module) => imported.test(readFileSync(join(out, module), 'utf8')))) {
    const bundle = await rolldown({
      input: join(out, name),
      external: (id, importer) => isOwn(importer) && id.startsWith('.'),
      plugins: [
        {
          name: 'libraries-of-the-client',
          // The modules lie somewhere else than their libraries.
          resolveId: (id, importer) =>
            isOwn(importer) && !id.startsWith('.') ? fileURLToPath(import.meta.resolve(id)) : undefined,
        },
      ],
    })
    const { output } = await bundle.generate({ format: 'es', comments: { legal: true, jsdoc: false } })
    await bundle.close()
    const [chunk] = output
    // Marks with the places where the modules lay: the same sources are to give the same bytes.
    writeFileSync(join(out, name), chunk.code.replace(/^\/\/ *(?:#?(?:end)?region\b.*|\S*\/[\w.-]+\.js)\n/gm, ''))
    for (const library of chunk.moduleIds.filter((id) => !isOwn(id)).map(packageOf))
      if (library) licences.set(library.name, licenceIn(library.folder))
  }
  const notices = [...licences].map(([library, text]) => `${library}\n\n${text}\n`)
  writeFileSync(join(out, 'THIRD-PARTY-LICENSES'), notices.join(`\n${'-'.repeat(80)}\n\n`))
}
