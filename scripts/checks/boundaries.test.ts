import { describe, expect, it } from 'vitest'
import {
  apiClientAlone,
  capturePageForBrowsers,
  clientPartsAlone,
  companionSessionAlone,
  electronInMain,
  httpInPipeline,
  knexInSchema,
  ownStoresOnly,
  pagesPickEndpoints,
  platformBelowDomains,
  protocolOnZod,
  roomForBrowsers,
  roomSessionAlone,
  roomTakesTypesOnly,
  sharedUiAlone,
} from './boundaries.ts'
import type { StructureCheck } from './source-tree.ts'

const pathsFound = (check: StructureCheck, files: Record<string, string>) =>
  check.find(Object.entries(files).map(([path, text]) => ({ path, text }))).map(({ path }) => path)

describe('knexInSchema', () => {
  it('finds knex in a service and in a store, also as a type and as an entry of the package', () => {
    const text = "import type { Knex } from 'knex'\n"
    expect(
      pathsFound(knexInSchema, {
        'server/src/domains/organisation/orgs/orgs.service.ts': text,
        'server/src/domains/organisation/orgs/orgs.store.ts': text,
        'server/src/app/context.ts': "import Client from 'knex/lib/client.js'\n",
      }),
    ).toEqual([
      'server/src/domains/organisation/orgs/orgs.service.ts',
      'server/src/domains/organisation/orgs/orgs.store.ts',
      'server/src/app/context.ts',
    ])
  })

  it('allows it in platform/db, in a migration and in a test', () => {
    const text = "import knex from 'knex'\n"
    expect(
      pathsFound(knexInSchema, {
        'server/src/platform/db/open-db.ts': text,
        'server/src/migrations/0010-orgs.ts': text,
        'server/test/test-support/database.ts': text,
      }),
    ).toEqual([])
  })
})

describe('platformBelowDomains', () => {
  it('finds an import of a domain, however it is written', () => {
    expect(
      pathsFound(platformBelowDomains, {
        'server/src/platform/jobs/a.ts': "export { x } from '../../domains/organisation/orgs/orgs.service.ts'\n",
        'server/src/platform/jobs/b.ts': "const x = await import('../../domains/organisation/orgs/orgs.service.ts')\n",
        'server/src/platform/jobs/c.ts':
          "import {\n  x,\n  y,\n} from '../../domains/organisation/orgs/orgs.service.ts'\n",
        'server/src/platform/jobs/d.ts': "import '../../domains/organisation/orgs/orgs.service.ts'\n",
        'server/src/platform/jobs/good.ts': "import { x } from '../clock.ts'\n",
      }),
    ).toEqual(['a', 'b', 'c', 'd'].map((name) => `server/src/platform/jobs/${name}.ts`))
  })
})

describe('httpInPipeline', () => {
  it('finds koa outside the pipeline, and HTTP in a domain and in the kernel, also as a type', () => {
    expect(
      pathsFound(httpInPipeline, {
        'server/src/domains/integrations/events/a.ts': "import type { Context } from 'koa'\n",
        'server/src/app/b.ts': "import Router from '@koa/router'\n",
        'server/src/kernel/c.ts': "import type { IncomingHttpHeaders } from 'node:http'\n",
        'server/src/domains/organisation/orgs/d.ts': "import { request } from 'node:https'\n",
      }),
    ).toEqual(
      ['domains/integrations/events/a', 'app/b', 'kernel/c', 'domains/organisation/orgs/d'].map(
        (name) => `server/src/${name}.ts`,
      ),
    )
  })

  it('allows both in the pipeline, HTTP in the platform, and either in a test', () => {
    const text = "import Koa from 'koa'\nimport { createServer } from 'node:http'\n"
    expect(
      pathsFound(httpInPipeline, {
        'server/src/pipeline/http.ts': text,
        'server/src/platform/sse/hub.ts': "import type { ServerResponse } from 'node:http'\n",
        'server/src/domains/integrations/webhooks/a.test.ts': text,
      }),
    ).toEqual([])
  })
})

describe('ownStoresOnly', () => {
  const importing = (name: string) => ({
    'server/src/domains/organisation/orgs/orgs.service.ts': `import { x } from '${name}'\n`,
  })

  it("finds an import of another domain's store", () => {
    expect(pathsFound(ownStoresOnly, importing('../roles/roles.store.ts'))).toHaveLength(1)
  })

  it("allows a domain's own store and another domain's service", () => {
    expect(pathsFound(ownStoresOnly, importing('./orgs.store.ts'))).toEqual([])
    expect(pathsFound(ownStoresOnly, importing('../roles/roles.service.ts'))).toEqual([])
  })
})

describe('electronInMain', () => {
  const text = "import { app } from 'electron'\n"

  it('finds electron in a part that must run without it', () => {
    expect(pathsFound(electronInMain, { 'agent/src/core/capture/lane.ts': text })).toHaveLength(1)
    expect(pathsFound(electronInMain, { 'agent/src/core/spool/x.ts': "require('electron')\n" })).toHaveLength(1)
  })

  it('allows it in the main process, and a package whose name only begins like it', () => {
    expect(pathsFound(electronInMain, { 'agent/src/shell/main/tray.ts': text })).toEqual([])
    expect(pathsFound(electronInMain, { 'agent/src/x.ts': "import x from 'electron-log'\n" })).toEqual([])
  })
})

describe('protocolOnZod', () => {
  it('finds any other package, a Node module, and a path that leaves the package', () => {
    for (const name of ['ws', 'node:crypto', '../../server/src/platform/clock.ts']) {
      expect(pathsFound(protocolOnZod, { 'shared-protocol/src/x.ts': `import x from '${name}'\n` })).toHaveLength(1)
    }
  })

  it('allows zod and its own files, and leaves its tests alone', () => {
    expect(
      pathsFound(protocolOnZod, {
        'shared-protocol/src/x.ts': "import { z } from 'zod'\nimport y from './core/y.ts'\n",
        'shared-protocol/src/x.test.ts': "import { it } from 'vitest'\n",
      }),
    ).toEqual([])
  })
})

describe('the phone companion', () => {
  it('finds React, Expo, a screen or an adapter in its session, and not in a test of it', () => {
    expect(
      pathsFound(companionSessionAlone, {
        'companion/src/session/a.ts': "import { use } from 'react'\n",
        'companion/src/session/b.ts': "import { CameraView } from 'expo-camera'\n",
        'companion/src/session/c.ts': "import { openIndexedQueue } from '../platform/queue.idb.ts'\n",
        'companion/src/texts/d.ts': "import { App } from '../app.tsx'\n",
        'companion/src/session/e.ts': "import { en } from '../../../room-web/src/texts/en.ts'\n",
        'companion/src/session/f.test.ts': "import { openIndexedQueue } from '../platform/queue.idb.ts'\n",
        'companion/src/screens/g.tsx': "import { use } from 'react'\n",
      }),
    ).toEqual(['a', 'b', 'c'].map((name) => `companion/src/session/${name}.ts`).concat('companion/src/texts/d.ts'))
  })

  it('may not take more than types from the protocol, nor anything of Node', () => {
    const path = 'companion/src/session/a.ts'
    expect(pathsFound(roomTakesTypesOnly, { [path]: "import { endpoint } from '@integrity/protocol'\n" })).toEqual([
      path,
    ])
    expect(pathsFound(roomForBrowsers, { [path]: "import { readFileSync } from 'node:fs'\n" })).toEqual([path])
  })
})

describe('the capture page', () => {
  it('may not load anything of Node, of the agent behind it, or of a package beside zod', () => {
    expect(
      pathsFound(capturePageForBrowsers, {
        'agent/src/shell/capture-page/a.ts': "import { randomUUID } from 'node:crypto'\n",
        'agent/src/shell/capture-page/b.ts': "import { systemClock } from '../../shared/clock.ts'\n",
        'agent/src/shell/capture-page/test-support/c.ts': "import { WebSocket } from 'ws'\n",
        'agent/src/machine/page/messages.ts': "import { DriverError } from '../../core/capture/types.ts'\n",
        'agent/src/machine/stills/fingerprint.ts': "import sharp from 'sharp'\n",
      }),
    ).toHaveLength(5)
  })

  it('may load what both ends of the conversation share, and the file that the build makes an address of', () => {
    expect(
      pathsFound(capturePageForBrowsers, {
        'agent/src/shell/capture-page/a.ts': "import { commands } from '../../machine/page/messages.ts'\n",
        'agent/src/shell/capture-page/b.ts': "import url from './level-worklet.ts?worker&url'\n",
        'agent/src/machine/page/messages.ts': "import * as z from 'zod'\n",
        'agent/src/machine/page/page-link.ts': "import { randomUUID } from 'node:crypto'\n",
      }),
    ).toEqual([])
  })
})

describe('the browser client of the room', () => {
  it('may not load what a browser cannot', () => {
    expect(
      pathsFound(roomForBrowsers, {
        'room-web/src/a.ts': "import { readFileSync } from 'node:fs'\n",
        'room-web/src/session/b.ts': "import { x } from '../../../server/src/app/config.ts'\n",
        'room-web/src/c.ts': "import { openDB } from 'idb'\n",
        'room-web/build/d.ts': "import path from 'node:path'\n",
      }),
    ).toEqual(['room-web/src/a.ts', 'room-web/src/session/b.ts'])
  })

  it('keeps React out of its session', () => {
    expect(
      pathsFound(roomSessionAlone, {
        'room-web/src/session/a.ts': "import { use } from 'react'\n",
        'room-web/src/texts/b.ts': "import { Page } from '../components/shell.tsx'\n",
        'room-web/src/pages/c.tsx': "import { use } from 'react'\n",
      }),
    ).toEqual(['room-web/src/session/a.ts', 'room-web/src/texts/b.ts'])
  })

  it('keeps its pages and texts out of what the window of the agent shares', () => {
    expect(
      pathsFound(sharedUiAlone, {
        'shared-ui/src/web/a.tsx': "import { en } from '../../../room-web/src/texts/en.ts'\n",
        'shared-ui/src/web/b.tsx': "import { use } from 'react'\nimport { a } from './a.tsx'\n",
        'shared-ui/src/web/c.ts': "import { fill } from '@integrity/protocol/clients/language'\n",
        'shared-ui/src/web/d.ts': "import { openDB } from 'idb'\n",
      }),
    ).toEqual(['shared-ui/src/web/a.tsx', 'shared-ui/src/web/d.ts'])
  })

  it('takes types of the protocol and no values', () => {
    expect(
      pathsFound(roomTakesTypesOnly, {
        'room-web/src/a.ts': "import { endpoint } from '@integrity/protocol'\n",
        'room-web/src/b.ts': "import {\n  x,\n  y,\n} from '@integrity/protocol/openapi'\n",
        'room-web/src/c.ts': "import type {\n  x,\n} from '@integrity/protocol'\n",
        'room-web/src/d.test.ts': "import { endpoint } from '@integrity/protocol'\n",
        'room-web/build/e.ts': "import { endpoint } from '@integrity/protocol'\n",
        'room-web/src/f.ts': "import { stayAwake } from '@integrity/protocol/clients/wake-lock'\n",
        'room-web/src/g.ts': "import { roomTexts } from '@integrity/protocol/texts/areas/room'\n",
      }),
    ).toEqual(['room-web/src/a.ts', 'room-web/src/b.ts'])
    expect(
      pathsFound(clientPartsAlone, {
        'shared-protocol/src/clients/a.ts': "import { errorCodes } from '../core/errors.ts'\n",
        'shared-protocol/src/clients/b.ts': "import type { EndpointMap } from '../index.ts'\n",
        'shared-protocol/src/clients/c.ts': "import { contrast } from './contrast.ts'\n",
      }),
    ).toEqual(['shared-protocol/src/clients/a.ts'])
  })

  it('knows no endpoint but those that it calls', () => {
    expect(
      pathsFound(pagesPickEndpoints, {
        'room-web/src/a.ts': "import { createIntegrityClient } from '@integrity/client'\n",
        'companion/src/b.ts': "import { createClient } from '@integrity/client/every-endpoint'\n",
        'companion/src/c.ts': "import { createCaller } from '@integrity/client/caller'\n",
        'agent/src/session/d.ts': "import { createClient } from '@integrity/client/every-endpoint'\n",
      }),
    ).toEqual(['room-web/src/a.ts', 'companion/src/b.ts'])
  })
})

describe('the API client', () => {
  it('stands alone, with types of the contract', () => {
    expect(
      pathsFound(apiClientAlone, {
        'shared-protocol/client/src/a.ts':
          "import type { EndpointMap } from '@integrity/protocol'\nimport type * as z from 'zod'\n",
        'shared-protocol/client/src/b.ts': "import { endpoints } from '@integrity/protocol'\n",
        'shared-protocol/client/src/c.ts': "import { readFileSync } from 'node:fs'\n",
        'shared-protocol/client/src/d.ts': "import { x } from '../../src/registry.ts'\n",
        'shared-protocol/client/src/e.ts': "import { backoffMs } from './backoff.ts'\n",
        'shared-protocol/client/src/f.ts': "import { sha256 } from '@noble/hashes/sha2.js'\n",
        'shared-protocol/client/build/g.ts': "import ts from 'typescript'\n",
      }),
    ).toEqual(['shared-protocol/client/src/b.ts', 'shared-protocol/client/src/c.ts', 'shared-protocol/client/src/d.ts'])
  })
})
