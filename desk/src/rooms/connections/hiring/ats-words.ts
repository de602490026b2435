import type { BodyInputOf, EndpointMap } from '@integrity/protocol'
import type { ReadResult } from '../../../data/desk-api.ts'

export type Ats = ReadResult<'portal.ats.list'>['items'][number]
export type Provider = Ats['provider']
export type Capability = ReadResult<'portal.ats.capabilities'>['items'][number]

export const regions = { lever: ['global', 'eu', 'sandbox'], teamtailor: ['eu', 'na', 'ap'] } as const

/** Everything that some provider needs; a form asks for what its own does. */
export const emptyCredentials = {
  clientId: '',
  clientSecret: '',
  userId: '',
  apiKey: '',
  region: '',
  signingToken: '',
}
export type CredentialWords = typeof emptyCredentials
export type CredentialName = keyof CredentialWords
export const isCredential = (name: string): name is CredentialName => Object.hasOwn(emptyCredentials, name)

/** Whatever is a secret is typed unseen. */
export const secretNames: readonly CredentialName[] = ['clientSecret', 'apiKey', 'signingToken']
/** Left out where it is empty: the service has a value of its own then, or keeps the one before. */
export const optionalNames: readonly CredentialName[] = ['region', 'signingToken']

export const credentialsOf = (names: readonly string[], words: CredentialWords): Record<string, string> =>
  Object.fromEntries(
    names
      .filter(isCredential)
      .map((name) => [name, words[name].trim()] as const)
      .filter(([name, value]) => value !== '' || !optionalNames.includes(name)),
  )

/** What Greenhouse calls of an assessment partner, each with the end of its address. */
const calls = ['list_tests', 'send_test', 'test_status', 'response_error'] as const
/** The four addresses below one of assessments; undefined for a webhook's. */
export const addressesOf = (inboundUrl: string) =>
  inboundUrl.endsWith('/integrations/assessments')
    ? calls.map((call) => ({ call, url: `${inboundUrl}/${call.replace('_', '-')}` }))
    : undefined

export const labels = ['name', 'application_id', 'none'] as const
export const pushes = ['scheduled', 'ended', 'report'] as const
type Settings = NonNullable<BodyInputOf<EndpointMap['portal.ats.update']>['settings']>

export interface MappedPolicy {
  readonly stage: string
  readonly policyId: string
}
export const policiesOf = (text: string): readonly MappedPolicy[] => JSON.parse(text) as readonly MappedPolicy[]

/** What a settings form begins with; `base` is the version that the writer has seen. */
export const settingsWordsOf = ({ label, settings, version }: Ats) => ({
  label,
  stages: settings.triggerStages.join('\n'),
  policyId: settings.policyId ?? '',
  invite: settings.invite ? 'yes' : '',
  push: settings.push.join(' '),
  policies: JSON.stringify(settings.mapping.policies),
  candidate: settings.mapping.label as string,
  base: String(version),
})
export type SettingsWords = ReturnType<typeof settingsWordsOf>

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export const settingsOf = ({ stages, policyId, invite, push, policies, candidate }: SettingsWords): Settings => ({
  triggerStages: linesOf(stages),
  policyId: policyId === '' ? null : policyId,
  invite: invite === 'yes',
  push: pushes.filter((name) => push.split(' ').includes(name)),
  mapping: { policies: [...policiesOf(policies)], label: labels.find((name) => name === candidate) ?? 'name' },
})
