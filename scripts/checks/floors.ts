import { importsOf, isCode, isTest, type SourceFile, type StructureCheck } from './source-tree.ts'

/** A package whose folders stand on one another: each names those it may import, and itself always. */
export interface FloorPlan {
  /** The folder that holds the floors, as in `agent/src`. */
  root: string
  floors: Readonly<Record<string, readonly string[]>>
}

const isShipped = (path: string) =>
  isCode(path) && !isTest(path) && !/(?:^|\/)test-support\/|\.test-support\.tsx?$/.test(path)

const shippedIn = (files: readonly SourceFile[], root: string) =>
  files.filter(({ path }) => path.startsWith(`${root}/`) && isShipped(path))

/** Holds the floors of a package apart. Types count: what one floor must know of another, it depends on. */
export const floorsOf = ({ root, floors }: FloorPlan): StructureCheck => {
  const floorOf = (path: string) =>
    path.startsWith(`${root}/`) ? path.slice(root.length + 1).split('/')[0] : undefined
  const refusal = (path: string, imported: string): string | undefined => {
    const from = floorOf(path) ?? ''
    const to = floorOf(imported)
    const below = floors[from]
    if (below === undefined) return `${from} is no floor of ${root}; the floors are ${Object.keys(floors).join(', ')}`
    if (to === undefined || to === from || below.includes(to)) return undefined
    return `imports ${imported}; ${from} stands on ${below.join(', ') || 'nothing'}`
  }
  return {
    name: `the floors of ${root} import downwards only (${Object.keys(floors).join(', ')}), types included`,
    find: (files) =>
      shippedIn(files, root).flatMap((file) =>
        // The file itself as well, so that one that imports nothing is on a floor too.
        [file.path, ...importsOf(file)].flatMap((imported) => {
          const message = refusal(file.path, imported)
          return message === undefined ? [] : [{ path: file.path, message }]
        }),
      ),
  }
}

type Edges = Map<string, Map<string, string>>

/** Divided by subject and not by floor, so that they count as one folder. The linter finds circles of files in them. */
const wholes = /^server\/src\/(?:pipeline|platform\/db|domains\/[^/]+\/[^/]+)(?=\/)/

const folderAt = (path: string, depth: number): string => {
  const folder = wholes.exec(path)?.[0].split('/') ?? path.split('/').slice(0, -1)
  return folder.slice(0, depth).join('/')
}

const folderEdges = (files: readonly SourceFile[], root: string, depth: number): Edges => {
  const edges: Edges = new Map()
  for (const file of files) {
    const from = folderAt(file.path, depth)
    for (const imported of importsOf(file).filter((path) => path.startsWith(`${root}/`))) {
      const to = folderAt(imported, depth)
      if (to === from) continue
      const targets = edges.get(from) ?? new Map<string, string>()
      if (!targets.has(to)) targets.set(to, `${file.path} imports ${imported}`)
      edges.set(from, targets)
    }
  }
  return edges
}

/** The shortest way from one folder to another along imports, both included. */
const wayBetween = (edges: Edges, from: string, to: string): string[] | undefined => {
  const ways = [[from]]
  const seen = new Set([from])
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
    for (const next of edges.get(way.at(-1) ?? '')?.keys() ?? []) {
      if (next === to) return [...way, next]
      if (!seen.has(next)) ways.push([...way, next])
      seen.add(next)
    }
  }
  return undefined
}

const circlesIn = (edges: Edges): string[][] => {
  const found = new Map<string, string[]>()
  for (const folder of edges.keys()) {
    const circle = wayBetween(edges, folder, folder)
    const key = circle && [...new Set(circle)].sort().join(' ')
    if (key !== undefined && !found.has(key)) found.set(key, circle!)
  }
  return [...found.values()]
}

/** No folder of a package, at any depth, imports one that imports it again, types included. */
export const noFolderCircles = (root: string): StructureCheck => ({
  name: `no circle of folders in ${root}, types included`,
  find: (files) => {
    const shipped = shippedIn(files, root)
    const deepest = Math.max(0, ...shipped.map(({ path }) => path.split('/').length - 1))
    const first = root.split('/').length + 1
    const findings = new Map<string, { path: string; message: string }>()
    for (let depth = first; depth <= deepest; depth += 1) {
      const edges = folderEdges(shipped, root, depth)
      for (const circle of circlesIn(edges)) {
        const steps = circle.slice(1).map((to, index) => edges.get(circle[index] ?? '')?.get(to) ?? '')
        const message = `${circle.map((folder) => folder.slice(root.length + 1) || '.').join(' > ')}: ${steps.join('; ')}`
        findings.set(message, { path: root, message })
      }
    }
    return [...findings.values()]
  },
})

/** What may be swapped is above what it is swapped for: `core` holds the ports that `machine` and `trust` fill. */
export const agentFloors = floorsOf({
  root: 'agent/src',
  floors: {
    shell: ['desktop', 'machine', 'trust', 'core', 'shared'],
    desktop: ['machine', 'trust', 'core', 'shared'],
    headless: ['machine', 'trust', 'core', 'shared'],
    machine: ['core', 'shared'],
    trust: ['core', 'shared'],
    core: ['shared'],
    shared: [],
  },
})

/** What a domain must know of the pipeline it knows through `kernel`; the two meet in `app` alone. */
export const serverFloors = floorsOf({
  root: 'server/src',
  floors: {
    'main.ts': ['app', 'kernel'],
    app: ['pipeline', 'domains', 'kernel', 'platform', 'migrations'],
    pipeline: ['kernel', 'platform'],
    domains: ['kernel', 'platform', 'migrations'],
    kernel: ['platform'],
    migrations: ['platform'],
    platform: [],
  },
})

/** What is drawn stands on what is kept and asked, never the other way round. */
export const sharedUiFloors = floorsOf({
  root: 'shared-ui/src',
  floors: {
    web: ['browser', 'hooks', 'player', 'session', 'words'],
    hooks: ['browser', 'player', 'session'],
    browser: ['player', 'session'],
    player: [],
    session: ['player'],
    words: [],
  },
})

/** A room is what one task of a person needs. Rooms share what stands below them, and know nothing of each other. */
export const deskFloors = floorsOf({
  root: 'desk/src',
  floors: {
    app: ['rooms', 'parts', 'browser', 'data', 'words', 'generated'],
    rooms: ['player-ui', 'parts', 'browser', 'data', 'words', 'generated'],
    'player-ui': ['parts', 'browser', 'data', 'words'],
    parts: ['browser', 'data', 'words'],
    browser: ['data', 'generated'],
    data: ['generated'],
    words: [],
    generated: [],
  },
})

const roomOf = (path: string): string | undefined => /^desk\/src\/rooms\/([^/]+)\//.exec(path)?.[1]

export const roomsApart: StructureCheck = {
  name: 'no room of the desk imports another',
  find: (files) =>
    shippedIn(files, 'desk/src/rooms').flatMap((file) =>
      importsOf(file)
        .filter((imported) => roomOf(imported) !== undefined && roomOf(imported) !== roomOf(file.path))
        .map((imported) => ({ path: file.path, message: `imports ${imported}; put what both need below the rooms` })),
    ),
}

export const folderCircles = [
  'agent/src',
  'server/src',
  'shared-protocol/src',
  'shared-ui/src',
  'room-web/src',
  'desk/src',
  'companion/src',
].map(noFolderCircles)
