/** Where Expo believes the page to be (`experiments.baseUrl` of app.json). The server may live under a path prefix. */
const builtFor = '/companion/'

const loading = new Map<string, Promise<void>>()

const load = (path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = path.startsWith(builtFor) ? `./${path.slice(builtFor.length)}` : path
    script.onload = () => resolve()
    script.onerror = () => reject(new Error(`${script.src} was not loaded`))
    document.head.append(script)
  })

/** Runs a script of the export that the first page does without, once; a failed one is tried again when it is asked for. */
export const loadPart = (path: string): Promise<void> => {
  const known = loading.get(path)
  if (known) return known
  const made = load(path)
  loading.set(path, made)
  made.catch(() => loading.delete(path))
  return made
}
