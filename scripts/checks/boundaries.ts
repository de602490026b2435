import { importsOf, isCode, isPackage, isTest, type SourceFile, type StructureCheck } from './source-tree.ts'
import { domainOf } from './wings.ts'

/** A rule about who may import what: `applies` picks the importing files, `forbids` says why an import is refused. */
const importRule = (
  name: string,
  applies: (path: string) => boolean,
  forbids: (imported: string, path: string) => string | undefined,
): StructureCheck => {
  const refusals = (file: SourceFile) =>
    importsOf(file).flatMap((imported) => {
      const message = forbids(imported, file.path)
      return message === undefined ? [] : [{ path: file.path, message }]
    })
  return {
    name,
    find: (files) => files.filter(({ path }) => isCode(path) && !isTest(path) && applies(path)).flatMap(refusals),
  }
}

export const knexInSchema = importRule(
  'knex appears only in platform/db and the migrations',
  (path) => !/^server\/src\/(?:platform\/db|migrations)\//.test(path),
  (imported) =>
    isPackage(imported, 'knex') ? 'imports knex, which writes the schema; a statement is SQL text' : undefined,
)

export const platformBelowDomains = importRule(
  'platform never imports a domain',
  (path) => path.startsWith('server/src/platform/'),
  (imported) => (domainOf(imported) === undefined ? undefined : `imports ${imported}; turn the dependency round`),
)

export const httpInPipeline = importRule(
  'koa is known to the pipeline alone, and nothing in server/src/{domains,kernel} imports node:http',
  (path) => /^server\/src\/(?!pipeline\/)/.test(path),
  (imported, path) => {
    if (isPackage(imported, 'koa') || isPackage(imported, '@koa/router'))
      return 'imports koa; answer with data (kernel/handler.ts, kernel/content.ts)'
    const inside = /^server\/src\/(?:domains|kernel)\//.test(path)
    return inside && /^(?:node:)?https?2?$/.test(imported)
      ? `imports ${imported}; what a handler needs of a request is a field of its call`
      : undefined
  },
)

export const ownStoresOnly = importRule(
  "a domain never imports another domain's store",
  (path) => domainOf(path) !== undefined,
  (imported, path) =>
    /\.store\.ts$/.test(imported) && domainOf(imported) !== undefined && domainOf(imported) !== domainOf(path)
      ? `imports ${imported}; call that domain's service`
      : undefined,
)

// A sandboxed preload script can reach its page only through electron's own contextBridge, so it is the one exception.
export const electronInMain = importRule(
  'electron is imported only in agent/src/shell/main (and its preload)',
  (path) => !/^agent\/src\/shell\/(?:main|preload)\//.test(path) && !path.startsWith('scripts/'),
  (imported) => (isPackage(imported, 'electron') ? 'imports electron; keep this part free of it' : undefined),
)

export const protocolOnZod = importRule(
  'shared-protocol imports nothing but zod, so that it runs in Node, a browser and React Native',
  (path) => path.startsWith('shared-protocol/src/'),
  (imported) => {
    if (isPackage(imported, 'zod') || imported.startsWith('shared-protocol/')) return undefined
    return `imports ${imported}`
  },
)

const valueOfContract = /^\s*(?:import|export)\s+(?!type\b)[^'"`;]*?from\s*['"](?:@integrity\/|zod['"])/m
/** Its own files, the contract's types, and the libraries that its package carries. */
const ofApiClient =
  /^(?:shared-protocol\/client\/src\/|@integrity\/protocol$|zod$|@noble\/hashes\/|eventsource-parser$)/

export const apiClientAlone: StructureCheck = {
  name: 'shared-protocol/client/src, the one API client, imports its own files, the libraries that it carries, and types of the contract',
  find: (files) =>
    files
      .filter(({ path }) => path.startsWith('shared-protocol/client/src/') && isCode(path))
      .flatMap((file) => {
        const outside = importsOf(file).filter((name) => !ofApiClient.test(name))
        const found = outside.map((name) => `imports ${name}`)
        if (valueOfContract.test(file.text)) found.push('imports a value of the contract; use import type')
        return found.map((message) => ({ path: file.path, message }))
      }),
}

/** What runs in a browser or on a phone. */
const clients = /^(?:shared-ui|room-web|desk|companion)\/src\/|^agent\/src\/shell\/renderer\//

export const roomForBrowsers = importRule(
  'room-web/src, companion/src and agent/src/shell/renderer run in a browser: nothing of Node, of the server or of the agent',
  (path) => clients.test(path),
  (imported) =>
    /^(?:node:|server\/|agent\/(?!src\/(?:shell\/renderer|shared\/ipc)\/))/.test(imported)
      ? `imports ${imported}; a browser cannot load it`
      : undefined,
)

export const pagesPickEndpoints = importRule(
  'room-web/src, companion/src and agent/src/renderer load the parts of the client that they use, with a table of the endpoints that they call',
  (path) => clients.test(path),
  (imported) =>
    /^@integrity\/client(?:$|\/(?:index|client|every-endpoint|generated\/))/.test(imported)
      ? `imports ${imported}, which knows every endpoint; use createCaller with the table in generated/`
      : undefined,
)

/** The hidden page that records, and the agent's files that it shares. */
const inCapturePage =
  /^agent\/src\/(?:shell\/capture-page\/|machine\/(?:stills\/fingerprint|page\/(?:frames|messages|recorders))\.ts$)/

export const capturePageForBrowsers = importRule(
  'agent/src/shell/capture-page and what it shares with the agent run in a browser: zod, and nothing of Node or of the rest of the agent',
  (path) => inCapturePage.test(path),
  (imported) =>
    isPackage(imported, 'zod') || inCapturePage.test(imported)
      ? undefined
      : `imports ${imported}; the page must not load it`,
)

export const roomSessionAlone = importRule(
  'what room-web and shared-ui keep and ask (session, link, texts, words, player) knows nothing of React and of pages',
  (path) => /^(?:room-web|shared-ui)\/src\/(?:session|link|texts|words|player)\//.test(path),
  (imported) =>
    isPackage(imported, 'react') || isPackage(imported, 'react-dom') || /\.tsx$/.test(imported)
      ? `imports ${imported}; turn the dependency round`
      : undefined,
)

export const sharedUiAlone = importRule(
  'shared-ui, which pages and window share, knows React, the client and the protocol, and nothing of a page',
  (path) => path.startsWith('shared-ui/src/'),
  (imported) =>
    /^(?:react|react-dom|@integrity\/protocol|@integrity\/client|shared-ui\/src)(?:$|\/)/.test(imported)
      ? undefined
      : `imports ${imported}; pass it in`,
)

export const companionSessionAlone = importRule(
  "the phone's session knows nothing of React, of Expo, of its screens and of what it runs on",
  (path) => /^companion\/src\/(?:session|texts)\//.test(path),
  (imported) =>
    /^(?:react|expo|idb)(?:[-/]|$)/.test(imported) || /^companion\/src\/(?!session|texts)/.test(imported)
      ? `imports ${imported}; turn the dependency round`
      : undefined,
)

/** What a machine signs is text and nothing else, and the same for whoever checks it. */
const valueOfProtocol =
  /^\s*(?:import|export)\s+(?!type\b)[^'"`;]*?from\s*['"]@integrity\/protocol(?!\/(?:clients\/|texts\/|capture-texts['"]|samples\/\w+-sample['"]))/m

export const roomTakesTypesOnly: StructureCheck = {
  name: 'room-web/src, companion/src and agent/src/shell/renderer take only types from the protocol besides its clients/, texts/, capture-texts and the makers of samples, as its registry is many times their size',
  find: (files) =>
    files
      .filter(({ path, text }) => clients.test(path) && isCode(path) && !isTest(path) && valueOfProtocol.test(text))
      .map(({ path }) => ({ path, message: 'imports a value of @integrity/protocol; use import type' })),
}

const valueFromAbove = /^\s*(?:import|export)\s+(?!type\b)[^'"`;]*?from\s*['"]\.\.\//m

export const clientPartsAlone: StructureCheck = {
  name: 'shared-protocol/src/clients takes only types from the rest of the protocol, so that a phone loads no schema',
  find: (files) =>
    files
      .filter(({ path, text }) => path.startsWith('shared-protocol/src/clients/') && valueFromAbove.test(text))
      .map(({ path }) => ({ path, message: 'imports a value of the protocol; use import type' })),
}
