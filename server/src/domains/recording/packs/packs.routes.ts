import { type EndpointMap, ServiceError } from '@integrity/protocol'
import { type HandlerMap, prepared } from '../../../kernel/handler.ts'
import { discardPack, type PreparedPack, preparePack } from '../evidence/intake/pack.prepare.service.ts'
import { recordPack } from '../evidence/intake/pack.record.service.ts'
import { type PackEntry, readPack } from './packs.items.model.ts'
import { packItemView } from './packs.view.ts'

interface ReadyPack {
  readonly entries: readonly PackEntry[]
  readonly pack: PreparedPack
}

export const packsRoutes = {
  'agent.packs.upload': prepared<EndpointMap['agent.packs.upload'], ReadyPack>({
    prepare: async (call, { params, bytes }) => {
      const entries = call.measured(
        () => readPack(call.actor, bytes),
        (read) => read.some(({ item }) => item instanceof ServiceError),
      )
      const items = entries.map(({ item }) => item)
      return { entries, pack: await preparePack(call, { sessionId: params.id, items }) }
    },
    write: async (call, _, { entries, pack }) => {
      const outcomes = await recordPack(call, pack)
      return { items: outcomes.map((outcome, n) => packItemView(entries[n]?.clientId ?? null, outcome)) }
    },
    discard: (call, _, { pack }) => discardPack(call, pack),
  }),
} satisfies Partial<HandlerMap>
