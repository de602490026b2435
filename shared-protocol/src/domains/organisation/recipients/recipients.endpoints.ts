import { user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { wholePagingQuery } from '../../../core/primitives.ts'
import { ownRecipient, ownRecipients, recipientBody } from './recipients.schemas.ts'

const all = '/v1/orgs/{orgId}/storage/recipients'
const managed = { auth: [user('storage.manage')], additive: true } as const

/** Keys of an organisation's own that its evidence is sealed to, beside that of the service. */
export const recipientsEndpoints = [
  defineEndpoint({
    ...managed,
    id: 'portal.recipients.list',
    method: 'GET',
    path: all,
    summary: "The organisation's own age recipients, in force and removed.",
    query: wholePagingQuery,
    response: ownRecipients,
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    ...managed,
    id: 'portal.recipients.add',
    grants: 'evidence_recipient',
    method: 'POST',
    path: all,
    summary: 'Add an age recipient: every object that is begun from now on is sealed to it too.',
    details:
      'What is stored already is not sealed anew, nor is an upload that began before; a bundle is sealed to whatever recipients are asked for. ' +
      'Sealed files are fetched at `/v1/api/evidence/{id}/sealed` and opened with `age -d -i identity.txt`. An erasure destroys what this service holds: ' +
      'a sealed file that was fetched before it still opens with the identity, wherever it was kept.',
    body: recipientBody,
    response: ownRecipient,
    success: [201],
    errors: ['conflict'],
    effect: 'write',
  }),
  defineEndpoint({
    ...managed,
    id: 'portal.recipients.remove',
    method: 'DELETE',
    path: `${all}/{recipientId}`,
    summary: 'Seal nothing more to a recipient. What was sealed to it stays so. Again: the same answer.',
    details:
      'To change a key: add the new one, remove the old one, and keep the old identity for what was stored before.',
    response: ownRecipient,
    success: [200],
    effect: 'write',
  }),
] as const
