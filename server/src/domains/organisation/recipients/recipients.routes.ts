import type { HandlerMap } from '../../../kernel/handler.ts'
import { wholeView } from '../../../kernel/paging.ts'
import { addRecipient, ownRecipientsOf, removeRecipient } from './recipients.service.ts'
import { recipientView } from './recipients.view.ts'

export const recipientsRoutes = {
  'portal.recipients.list': {
    read: async (call, { query }) =>
      wholeView(await ownRecipientsOf(call, call.actor.orgId), { name: 'recipients', query, view: recipientView }),
  },
  'portal.recipients.add': { write: async (call, { body }) => recipientView(await addRecipient(call, body)) },
  'portal.recipients.remove': {
    write: async (call, { params }) => recipientView(await removeRecipient(call, params.recipientId)),
  },
} satisfies Partial<HandlerMap>
