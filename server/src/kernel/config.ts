import type { AtsAddresses } from '../platform/ats/types.ts'
import type { SlackSettings } from '../platform/chat/types.ts'
import type { RazorpaySettings, StripeSettings } from '../platform/payments/types.ts'
import type { TraceSettings } from '../platform/traces/open-traces.ts'

export interface Limits {
  /** Requests for each API key and for each organisation in a window of 60 s. */
  readonly perKey: number
  readonly perOrg: number
  /** Milliseconds that an organisation's lists and reports may spend in the database in the same window. */
  readonly readMsPerOrg: number
  /** Milliseconds of processor time that the bodies of one credential, or of one address without any, may take in the same window. */
  readonly bodyMsPerCredential: number
  /** The same for those of an organisation that were refused. */
  readonly refusedBodyMsPerOrg: number
  /** For every other credential, and for an address without one, at each endpoint that needs none. */
  readonly perCredential: number
  /** Uploads of each credential that is no API key, in pieces of 256 KiB. */
  readonly uploadsPerCredential: number
  /** What is looked through of evidence by each key and person, and in each organisation, in pieces of 256 KiB. */
  readonly answersPerCredential: number
  readonly answersPerOrg: number
  /** What is decoded of the pictures of a session; each counts whole millions of pixels, and one that is held already nothing. */
  readonly megapixelsPerSession: number
  readonly perAddress: number
  /** Pages and preflights of one address. */
  readonly pagesPerAddress: number
  /** Connections open at a time, in all and of one address (behind a proxy that is its own matter). */
  readonly connections: number
  readonly connectionsPerAddress: number
  /** A body brings so many bytes a second, looked at so often, or is cut off. */
  readonly bodyBytesPerSecond: number
  readonly bodySeconds: number
  /** How long the answer to the end of an upload takes at most, in milliseconds: less than proxies wait, which is 60 s often. */
  readonly completeMs: number
  /** Event streams that a key keeps open at a time. */
  readonly streamsPerKey: number
  /** Wrong secrets, wrong passwords, and wrong join codes of each kind, from one address. */
  readonly failuresPerAddress: number
  /** Join codes that are spent, of one session and role. */
  readonly failedClaimsPerSession: number
  /** Join codes made for one session and role in an hour, not in the window. */
  readonly codesPerSession: number
  /** Requests for access from one address in an hour, not in the window. */
  readonly accessRequestsPerAddress: number
}

export interface Config {
  readonly host: string
  readonly port: number
  /** Absent: one above `port`, or below it when there is none above. */
  readonly metricsPort: number
  /** This machine alone, unless told. */
  readonly metricsHost: string
  readonly baseUrl: string
  readonly dataDir: string
  /** Where the ids of erased sessions are listed, apart from the backups. */
  readonly erasuresFile: string
  readonly databaseUrl: string | undefined
  /** A streaming replica of it, which lists and reports are read from. */
  readonly databaseReadUrl: string | undefined
  /** The same Postgres without the pooler that `databaseUrl` names then. */
  readonly databaseDirectUrl: string | undefined
  /** Where several processes count together; absent: in the database. */
  readonly redisUrl: string | undefined
  /** Whether that names nodes of a cluster, separated by commas. */
  readonly redisCluster: boolean
  readonly masterKey: string | undefined
  readonly smtpUrl: string | undefined
  /** Whom messages come from. */
  readonly mailFrom: string
  /** Addresses and networks of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[]
  /** minisign public keys in base64: who may sign what the installed programs obey. */
  readonly releasePublicKeys: readonly string[]
  /** Where proof of domains is looked up; empty: the name servers of this machine. */
  readonly dnsServers: readonly string[]
  readonly webhookAllowPrivate: boolean
  /** So long published events are kept, and deliveries that ended. */
  readonly eventDays: number
  /** So long it is remembered how an upload ended. */
  readonly uploadDays: number
  /** Which jobs run in this process: `web` leaves those that decode and render to others. */
  readonly role: 'all' | 'web' | 'worker'
  /** Whether anybody may ask for an organisation. */
  readonly accessRequestsOpen: boolean
  /** Addresses, in lower case, of the accounts that decide on what is asked for. */
  readonly deskOperators: readonly string[]
  /** URIs under which a vulnerability can be reported to the operator (RFC 9116); the first is preferred. */
  readonly securityContacts: readonly string[]
  /** Of applicant tracking systems, where they are not the makers' own. */
  readonly ats: AtsAddresses
  /** The app by which chats are told; without an id nobody can install it. */
  readonly slack: SlackSettings
  /** Who takes money; nobody where nothing is set. */
  readonly payment: { readonly stripe: StripeSettings; readonly razorpay: RazorpaySettings }
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'
  /** Absent: off. */
  readonly traces: TraceSettings | undefined
  readonly ffmpegPath: string | undefined
  /** NODE_ENV=production. */
  readonly production: boolean
  readonly limits: Limits
}
