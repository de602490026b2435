import type { HeldBy } from './statement.types.ts'

const processing = 'server/test/flows/compliance/compliance.test.ts'
const statement = 'server/test/flows/compliance/statement.test.ts'

/** What holds the sentences that are made of settings. `scripts/promises.test.ts` looks for each of these titles. */
export const heldBy = {
  notice: {
    name: 'held.notice',
    file: statement,
    test: 'says the same sentences as the consent document and the invitation',
  },
  lanes: { name: 'held.lanes', file: processing, test: 'names every lane, in the words that a candidate reads' },
  policies: {
    name: 'held.policies',
    file: statement,
    test: 'changes with a policy, a role and a webhook, a line for each',
  },
  roles: { name: 'held.roles', file: processing, test: 'changes with roles and who has them' },
  keys: {
    name: 'held.keys',
    file: processing,
    test: 'changes with webhooks and keys, of both environments and of that organisation alone',
  },
  recipients: {
    name: 'held.recipients',
    file: 'server/test/flows/recipients/recipients.test.ts',
    test: "Debian's age opens with the customer's identity what was stored after it was added",
  },
  storage: { name: 'held.storage', file: processing, test: 'changes with the storage, and never shows its secret' },
  destinations: {
    name: 'held.destinations',
    file: processing,
    test: 'changes with webhooks and keys, of both environments and of that organisation alone',
  },
  retention: { name: 'held.retention', file: processing, test: 'changes with retention, its ceiling and holds' },
  aids: {
    name: 'held.aids',
    file: 'server/test/flows/candidate-requests/aids.test.ts',
    test: 'are agreed at once where the policy offers them, and both sides read the same sentences',
  },
  aidsAnswered: {
    name: 'held.aidsAnswered',
    file: 'server/test/flows/candidate-requests/aids.test.ts',
    test: 'wait for an answer where the policy does not offer them',
  },
  consent: {
    name: 'held.consent',
    file: 'agent/src/core/session/session-machine.test.ts',
    test: 'asks for consent before it registers, and registers before any lane runs',
  },
  ownData: {
    name: 'held.ownData',
    file: 'server/test/flows/candidate-requests/candidate-requests-archive.test.ts',
    test: 'says who opened what on which day, without names, and for how much there is something',
  },
  unread: {
    name: 'held.unread',
    file: 'server/test/flows/reviews/statements.test.ts',
    test: 'stops a sign-off while it is unread, and says how to go on',
  },
  voices: {
    name: 'held.voices',
    file: 'server/test/flows/compliance/statement.test.ts',
    test: 'says that other voices are recorded, as the consent document does',
  },
  voicesTold: {
    name: 'held.voicesTold',
    file: 'server/test/flows/interviewers/interviewers.test.ts',
    test: 'are told by mail and calendar in one sentence, with a link to their page, and the record says when by what',
  },
  peopleDecide: {
    name: 'held.peopleDecide',
    file: 'shared-protocol/src/texts/texts.test.ts',
    test: 'judges nobody, and hurries nobody',
  },
  aPerson: {
    name: 'held.aPerson',
    file: 'server/test/flows/reviews/states.test.ts',
    test: 'are moved by whoever has the review, by who may assign it, and by nobody else',
  },
  erasure: {
    name: 'held.erasure',
    file: 'server/test/flows/evidence/erasure-carve.test.ts',
    test: 'an erased screenshot opens no more, with older objects, its header and the master key in hand',
  },
} as const satisfies Record<string, HeldBy>

/** Promises of SECURITY.md, each with a test that `docs/promises.md` names for it. */
export const promised = {
  tenants: {
    name: 'held.tenants',
    file: 'server/test/invariants/tenant-words.test.ts',
    test: 'name the organisation and the environment of the rows that they touch',
  },
  consent: heldBy.consent,
  rest: {
    name: 'held.rest',
    file: 'server/src/platform/storage/sealed-object.test.ts',
    test: 'the stored bytes hold nothing of the plaintext, and two seals of the same bytes differ',
  },
  erasure: heldBy.erasure,
  audit: {
    name: 'held.audit',
    file: 'server/src/kernel/audit/audit.verify.test.ts',
    test: 'names the row after one that was rewritten together with its hash',
  },
  secrets: {
    name: 'held.secrets',
    file: 'server/src/platform/log/log.test.ts',
    test: 'never lets a secret with one of our prefixes through, wherever it stands',
  },
  factor: {
    name: 'held.factor',
    file: 'server/test/flows/auth/second-factor.test.ts',
    test: 'is asked for at sign-in once it is confirmed, and not before',
  },
  webhooks: {
    name: 'held.webhooks',
    file: 'server/src/platform/http-out/guard.test.ts',
    test: 'refuses a delivery to a name that was public when it was registered and is loopback now',
  },
} as const satisfies Record<string, HeldBy>
