import { join, resolve } from 'node:path'
import { emailAddress, mailAddressOf } from '@integrity/protocol'
import * as z from 'zod'
import type { Config, Limits } from '../kernel/config.ts'
import { isNetwork } from '../pipeline/callers/client-address.ts'
import { MinisignError, parsePublicKey } from '../platform/minisign/public-key.ts'
import { inWords, misfitsOf } from '../platform/schema-words.ts'
import { isNameServer } from '../platform/txt-records.ts'
import { traceSchema, tracesOf } from './trace-config.ts'

const isPublicKey = (text: string): boolean => {
  try {
    return parsePublicKey(text) !== undefined
  } catch (error) {
    if (error instanceof MinisignError) return false
    throw error
  }
}

const isRedisUrl = (text: string): boolean => /^rediss?:\/\//.test(text) && URL.canParse(text)

const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
  .optional()
const port = z.coerce.number().int().min(0).max(65_535)
const schema = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: port.default(8787),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  METRICS_PORT: port.optional(),
  BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATA_DIR: z.string().min(1).default('./data'),
  ERASURES_FILE: z.string().min(1).optional(),
  DATABASE_URL: postgresUrl,
  DATABASE_READ_URL: postgresUrl,
  DATABASE_DIRECT_URL: postgresUrl,
  MASTER_KEY: z
    .string()
    .refine((text) => /^[0-9a-fA-F]{64}$/.test(text) || Buffer.from(text, 'base64').length === 32, {
      error: 'must be 32 bytes in hex or base64 (openssl rand -base64 32)',
    })
    .optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be smtp://… or smtps://…' }).optional(),
  MAIL_FROM: z
    .string()
    .min(3)
    .max(320)
    .regex(/^[^\r\n]*[^\s@<]+@[^\s@>]+>?$/, 'must be an address, with or without a name')
    .optional(),
  REDIS_URL: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine(
      (parts) => parts.every(isRedisUrl),
      'must be redis://… or rediss://…, of a cluster several with commas between',
    )
    .optional(),
  REDIS_CLUSTER: z.enum(['0', '1']).default('0'),
  TRUSTED_PROXIES: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine((parts) => parts.every(isNetwork), 'must be addresses or networks such as 10.0.0.0/8, separated by commas')
    .optional(),
  RELEASE_PUBLIC_KEYS: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine((keys) => keys.every(isPublicKey), 'must be minisign public keys in base64, separated by commas')
    .optional(),
  DNS_SERVERS: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine(
      (parts) => parts.every(isNameServer),
      'must be addresses of name servers, with or without a port, separated by commas',
    )
    .optional(),
  WEBHOOK_ALLOW_PRIVATE: z.enum(['0', '1']).default('0'),
  ACCESS_REQUESTS: z.enum(['open', 'shut']).default('shut'),
  ACCESS_DESK_OPERATORS: z
    .string()
    // As accounts have them, since they are compared with these.
    .transform((text) => text.split(',').map((part) => mailAddressOf(part) ?? ''))
    .refine((addresses) => !addresses.includes(''), 'must be e-mail addresses, separated by commas')
    .transform((addresses) => [...new Set(addresses)])
    .optional(),
  SECURITY_CONTACT: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .transform((parts) =>
      parts.map((part) => {
        const { data: address } = emailAddress.safeParse(part)
        return address === undefined ? part : `mailto:${address}`
      }),
    )
    .refine(
      (parts) => parts.every((part) => /^(?:https:\/\/|mailto:|tel:)[!-~]+$/.test(part)),
      'must be e-mail addresses, or addresses that begin with https:, mailto: or tel:, separated by commas',
    )
    .optional(),
  EVENT_DAYS: z.coerce.number().int().min(7).max(3650).default(90),
  UPLOAD_DAYS: z.coerce.number().int().min(2).max(3650).default(30),
  ROLE: z.enum(['all', 'web', 'worker']).default('all'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[rs]k_(test|live)_/, 'must begin with sk_test_, sk_live_, rk_test_ or rk_live_')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z.string().min(1).optional(),
  STRIPE_API: z.url({ protocol: /^https?$/ }).default('https://api.stripe.com'),
  RAZORPAY_KEY_ID: z
    .string()
    .regex(/^rzp_(test|live)_/, 'must begin with rzp_test_ or rzp_live_')
    .optional(),
  RAZORPAY_KEY_SECRET: z.string().min(1).optional(),
  RAZORPAY_WEBHOOK_SECRET: z.string().min(1).optional(),
  RAZORPAY_PLANS: z
    .string()
    .regex(
      /^(team|business)\.(month|year)=plan_\w+(,(team|business)\.(month|year)=plan_\w+)*$/,
      'must be like team.month=plan_1,team.year=plan_2',
    )
    .optional(),
  RAZORPAY_API: z.url({ protocol: /^https?$/ }).default('https://api.razorpay.com'),
  GREENHOUSE_API: z.url({ protocol: /^https?$/ }).optional(),
  GREENHOUSE_AUTH: z.url({ protocol: /^https?$/ }).optional(),
  GREENHOUSE_ASSESSMENT: z.url({ protocol: /^https?$/ }).optional(),
  LEVER_API: z.url({ protocol: /^https?$/ }).optional(),
  ASHBY_API: z.url({ protocol: /^https?$/ }).optional(),
  TEAMTAILOR_API: z.url({ protocol: /^https?$/ }).optional(),
  SLACK_CLIENT_ID: z.string().min(1).optional(),
  SLACK_CLIENT_SECRET: z.string().min(1).optional(),
  SLACK_API: z.url({ protocol: /^https?$/ }).default('https://slack.com'),
  FFMPEG_PATH: z.string().optional(),
  ...traceSchema,
  NODE_ENV: z.string().optional(),
})

/** The names of all settings. */
export const settingNames: readonly string[] = Object.keys(schema.shape)

export const defaultLimits: Limits = {
  perKey: 120,
  perOrg: 600,
  readMsPerOrg: 15_000,
  bodyMsPerCredential: 6_000,
  refusedBodyMsPerOrg: 15_000,
  perCredential: 600,
  uploadsPerCredential: 8192,
  answersPerCredential: 8192,
  answersPerOrg: 65_536,
  megapixelsPerSession: 4000,
  perAddress: 600,
  pagesPerAddress: 3000,
  connections: 20_000,
  connectionsPerAddress: 2_000,
  bodyBytesPerSecond: 1024,
  bodySeconds: 10,
  completeMs: 30_000,
  streamsPerKey: 20,
  failuresPerAddress: 20,
  failedClaimsPerSession: 10,
  codesPerSession: 30,
  accessRequestsPerAddress: 10,
}

const paymentSecrets = [
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'RAZORPAY_KEY_SECRET',
  'RAZORPAY_WEBHOOK_SECRET',
  'SLACK_CLIENT_SECRET',
]

/** A provider counts as configured with everything that it needs; half of it is a mistake that `billing.status` names. */
const paymentOf = (c: z.output<typeof schema>): Config['payment'] => ({
  stripe: { api: c.STRIPE_API, key: c.STRIPE_SECRET_KEY, webhookSecret: c.STRIPE_WEBHOOK_SECRET },
  razorpay: {
    api: c.RAZORPAY_API,
    keyId: c.RAZORPAY_KEY_ID,
    keySecret: c.RAZORPAY_KEY_SECRET,
    webhookSecret: c.RAZORPAY_WEBHOOK_SECRET,
    plans: Object.fromEntries((c.RAZORPAY_PLANS ?? '').split(',').map((pair) => pair.split('=') as [string, string])),
  },
})

/** Settings that hold a secret or a password: what was given is never written to a terminal or a log. */
export const secretSettings: ReadonlySet<string> = new Set([
  'MASTER_KEY',
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'DATABASE_DIRECT_URL',
  'SMTP_URL',
  'REDIS_URL',
  ...paymentSecrets,
])

/** The settings at fault, all of them, in words. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const atsOf = (c: z.output<typeof schema>): Config['ats'] => ({
  ...(c.GREENHOUSE_API && { greenhouse: c.GREENHOUSE_API }),
  ...(c.GREENHOUSE_AUTH && { greenhouseAuth: c.GREENHOUSE_AUTH }),
  ...(c.GREENHOUSE_ASSESSMENT && { greenhouse_assessment: c.GREENHOUSE_ASSESSMENT }),
  ...(c.LEVER_API && { lever: c.LEVER_API }),
  ...(c.ASHBY_API && { ashby: c.ASHBY_API }),
  ...(c.TEAMTAILOR_API && { teamtailor: c.TEAMTAILOR_API }),
})

/** Settings that each can be right and are not together, and why. */
const apart = (c: z.output<typeof schema>): readonly string[] => [
  ...(['DATABASE_READ_URL', 'DATABASE_DIRECT_URL'] as const)
    .filter((name) => c[name] !== undefined && c.DATABASE_URL === undefined)
    .map((name) => `  ${name}: needs DATABASE_URL, the address that is written to`),
  ...((c.REDIS_URL?.length ?? 0) > 1 && c.REDIS_CLUSTER === '0'
    ? ['  REDIS_URL: names several servers, which only a cluster has; set REDIS_CLUSTER=1']
    : []),
]

const wrong = (problems: readonly string[]): ConfigError =>
  new ConfigError(
    `These settings are wrong:\n${problems.join('\n')}\nThey are described in docs/operating/settings.md.`,
  )

/** Reads the environment. Empty values count as absent. Throws a ConfigError that lists every problem. */
export const readConfig = (env: Readonly<Record<string, string | undefined>>): Config => {
  const given = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => Object.hasOwn(schema.shape, name) && value !== ''),
  )
  const parsed = schema.safeParse(given, inWords)
  if (!parsed.success) {
    const shown = (name: string) => (secretSettings.has(name) ? '' : ` (is ${JSON.stringify(given[name])})`)
    const problems = misfitsOf(parsed.error.issues).map(
      ({ path, message }) => `  ${path.join('.')}: ${message}${shown(String(path[0]))}`,
    )
    throw wrong(problems)
  }
  const c = parsed.data
  const together = apart(c)
  if (together.length > 0) throw wrong(together)
  return {
    host: c.HOST,
    port: c.PORT,
    metricsPort: c.METRICS_PORT ?? (c.PORT === 0 ? 0 : c.PORT === 65_535 ? c.PORT - 1 : c.PORT + 1),
    metricsHost: c.METRICS_HOST,
    baseUrl: (c.BASE_URL ?? `http://${c.HOST.includes(':') ? `[${c.HOST}]` : c.HOST}:${c.PORT}`).replace(/\/$/, ''),
    dataDir: resolve(c.DATA_DIR),
    erasuresFile: resolve(c.ERASURES_FILE ?? join(c.DATA_DIR, 'erasures.jsonl')),
    databaseUrl: c.DATABASE_URL,
    databaseReadUrl: c.DATABASE_READ_URL,
    databaseDirectUrl: c.DATABASE_DIRECT_URL,
    redisUrl: c.REDIS_URL?.join(','),
    redisCluster: c.REDIS_CLUSTER === '1',
    masterKey: c.MASTER_KEY,
    smtpUrl: c.SMTP_URL,
    mailFrom: c.MAIL_FROM ?? `service@${new URL(c.BASE_URL ?? 'http://localhost').hostname}`,
    trustedProxies: c.TRUSTED_PROXIES ?? [],
    releasePublicKeys: c.RELEASE_PUBLIC_KEYS ?? [],
    dnsServers: c.DNS_SERVERS ?? [],
    webhookAllowPrivate: c.WEBHOOK_ALLOW_PRIVATE === '1',
    accessRequestsOpen: c.ACCESS_REQUESTS === 'open',
    deskOperators: c.ACCESS_DESK_OPERATORS ?? [],
    securityContacts: c.SECURITY_CONTACT ?? [],
    payment: paymentOf(c),
    ats: atsOf(c),
    slack: { api: c.SLACK_API, clientId: c.SLACK_CLIENT_ID, clientSecret: c.SLACK_CLIENT_SECRET },
    eventDays: c.EVENT_DAYS,
    uploadDays: c.UPLOAD_DAYS,
    role: c.ROLE,
    logLevel: c.LOG_LEVEL,
    ffmpegPath: c.FFMPEG_PATH,
    traces: tracesOf(c),
    production: c.NODE_ENV === 'production',
    limits: defaultLimits,
  }
}
