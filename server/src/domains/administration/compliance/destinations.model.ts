import type { destinationKinds } from '@integrity/protocol'
import type { Config } from '../../../kernel/config.ts'
import type { PlaceSettings } from '../storage/storage.types.ts'

export interface Destination {
  readonly kind: (typeof destinationKinds)[number]
  readonly name: string
  readonly region?: string
  readonly host?: string
}

/** Where evidence lies: in files of the machine that the service runs on, or in a bucket. */
export const storagesOf = (places: readonly { readonly settings: PlaceSettings }[]): Destination[] =>
  places.map(({ settings }) => ({
    kind: 'storage',
    name: settings.provider,
    ...(settings.provider === 's3' && { region: settings.region }),
    ...(settings.provider !== 'local' && { host: new URL(settings.endpoint).host }),
  }))

/** The hosts that events are sent to, each once. */
export const webhooksOf = (
  targets: readonly { readonly url: string; readonly description: string | null }[],
): Destination[] => {
  const byHost = new Map(targets.map(({ url, description }) => [new URL(url).host, description]))
  return [...byHost].map(([host, description]) => ({ kind: 'webhook', name: description ?? host, host }))
}

/** What learns that an interview was scheduled, ended and reported on, beside its candidate. */
export const applicantSystemsOf = (
  connections: readonly { readonly provider: string; readonly label: string }[],
): Destination[] => connections.map(({ provider, label }) => ({ kind: 'ats', name: `${provider}: ${label}` }))

/** A team's chat learns that something happened; whom it is about only where that was chosen. */
export const chatsOf = (
  apps: readonly { readonly provider: string; readonly workspace: string; readonly showCandidateLabel: boolean }[],
): Destination[] =>
  apps.map(({ provider, workspace, showCandidateLabel }) => ({
    kind: 'chat',
    name: `${provider}: ${workspace}${showCandidateLabel ? ", with candidates' labels" : ''}`,
  }))

/** Who takes money learns of the organisation and of what it pays, nothing of its candidates. */
export const paymentsOf = ({ payment: { stripe, razorpay } }: Pick<Config, 'payment'>): Destination[] => [
  ...(stripe.key === undefined ? [] : [{ kind: 'payment' as const, name: 'stripe', host: new URL(stripe.api).host }]),
  ...(razorpay.keyId === undefined
    ? []
    : [{ kind: 'payment' as const, name: 'razorpay', host: new URL(razorpay.api).host }]),
]

/** Messages to candidates and members go by a mail server, or into a folder of the service where none is set. */
export const mailOf = ({ smtpUrl }: Pick<Config, 'smtpUrl'>): Destination =>
  smtpUrl === undefined ? { kind: 'mail', name: 'folder' } : { kind: 'mail', name: 'smtp', host: new URL(smtpUrl).host }
