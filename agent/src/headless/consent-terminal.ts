import { createInterface } from 'node:readline/promises'
import type { Readable } from 'node:stream'
import { agentLanes, type LaneName } from '@integrity/protocol'
import { inviterLine } from '@integrity/protocol/clients/inviter'
import type { LaterQuestion } from '../core/session/later-asking.ts'
import type { AskConsent, ConsentAnswer, ConsentDocument, ConsentQuestion } from '../core/session/ports.ts'
import type { LaneAnswers } from '../core/session/session-machine.types.ts'
import type { Clock } from '../shared/clock.ts'

const own = (document: ConsentDocument) =>
  document.lanes.filter(({ lane }) => (agentLanes as readonly LaneName[]).includes(lane))

/** The document as the service made it, in plain lines. */
const consentLines = ({ document, orgName, inviter, previous }: ConsentQuestion): string[] => [
  '',
  ...(previous
    ? ['The text has changed since you answered. Please read it again; nothing has been recorded.', '']
    : []),
  `${orgName ?? 'The organisation'} asks for your consent${inviter ? `; ${inviterLine(inviter)} invited you` : ''}. While the interview runs, this would be collected:`,
  '',
  ...own(document).flatMap(({ lane, title, text, required }) => [
    `  ${title} [${lane}] — ${required ? 'needed for this interview' : 'you may decline this'}`,
    `    ${text}`,
  ]),
  '',
  `The organisation has set ${document.retentionDays} days as the time it may be kept. Text version ${document.version}, ${document.locale}, ${document.hash.slice(0, 12)}.`,
  ...(document.notice ?? []),
  'A person looks at it. Nothing is collected before you agree.',
]

/** The answers with these lanes declined; a string says why that cannot be. */
const answersFor = (document: ConsentDocument, declined: readonly LaneName[]): LaneAnswers | string => {
  const needed = own(document).filter(({ lane, required }) => required && declined.includes(lane))
  if (needed.length > 0) {
    return `${needed.map(({ lane }) => lane).join(', ')} cannot be declined for this interview`
  }
  return Object.fromEntries(own(document).map(({ lane }) => [lane, !declined.includes(lane)]))
}

export interface TerminalConsentOptions {
  readonly input: Readable
  /** Prints one line. */
  readonly say: (line: string) => void
  /** Agree to everything that is not declined, without asking. */
  readonly yes: boolean
  readonly decline: readonly LaneName[]
  readonly clock: Clock
}

const readDeclined = (line: string): LaneName[] | undefined => {
  const names = line.split(/[\s,]+/).filter((name) => name !== '')
  const lanes = names.filter((name): name is LaneName => (agentLanes as readonly string[]).includes(name))
  return names.length > 0 && lanes.length === names.length ? lanes : undefined
}

/** Shows what will be collected and reads the answer. No answer, or an end of the input, is a no. */
export const terminalConsent =
  ({ input, say, yes, decline, clock }: TerminalConsentOptions): AskConsent =>
  async (question, signal) => {
    const agreed = (answers: LaneAnswers): ConsentAnswer => ({ answers, acceptedAt: clock.wallMs() })
    for (const line of consentLines(question)) say(line)
    const offered = answersFor(question.document, decline)
    if (typeof offered === 'string') {
      say(offered)
      return undefined
    }
    if (yes) {
      say('Agreed on the command line (--yes-consent).')
      return agreed(offered)
    }
    say('Type "yes" to agree, "no" to refuse, or the names of lanes to decline (for example: microphone camera).')
    const terminal = createInterface({ input, terminal: false })
    signal.addEventListener('abort', () => terminal.close(), { once: true })
    try {
      for await (const line of terminal) {
        const answer = line.trim().toLowerCase()
        if (answer === 'yes') return agreed(offered)
        if (answer === 'no') return undefined
        const more = readDeclined(answer)
        const answers = more && answersFor(question.document, [...decline, ...more])
        if (answers !== undefined && typeof answers !== 'string') return agreed(answers)
        say(answers ?? 'Please type "yes", "no", or names of lanes.')
      }
      return undefined
    } finally {
      terminal.close()
    }
  }

/**
 * What is asked for while the session runs, and the answer: yes where everything was agreed to on the command line, else
 * no, as nobody watches this terminal while it records.
 */
export const answerLater = (
  { document, lanes }: LaterQuestion,
  { yes, decline }: Pick<TerminalConsentOptions, 'yes' | 'decline'>,
): { readonly answers: LaneAnswers; readonly lines: readonly string[] } => {
  const asked = own(document).filter(({ lane }) => lanes.includes(lane))
  const answers = Object.fromEntries(asked.map(({ lane }) => [lane, yes && !decline.includes(lane)]))
  const lines = asked.flatMap(({ lane, title, text }) => [
    `The organisation now also asks for: ${title} [${lane}]`,
    `  ${text}`,
    answers[lane]
      ? '  Agreed on the command line (--yes-consent).'
      : '  Declined: in a running session this program agrees to nothing that was not agreed to on the command line.',
  ])
  return { answers, lines }
}
