import type { Client } from '@integrity/client/every-endpoint'
import type { LaneAnswers, SessionInput } from '../core/session/session-machine.types.ts'
import type { CommandHandlers, Outcome } from '../shared/ipc/channels.ts'
import type { WindowState } from '../shared/ipc/window-state.ts'
import { noUpdates } from '../trust/updates/update-controller.ts'
import { BrandLogo } from './brand-logo.ts'
import type { CheckFlow } from './check-flow.ts'
import type { DesktopOptions } from './desktop-agent.types.ts'
import { done, outOfPlace, refuse } from './outcomes.ts'
import type { PhonePairing } from './phone-pairing.ts'
import { RequestsPage } from './requests-page.ts'

/** What the commands act on. */
export interface HandlerParts {
  readonly options: DesktopOptions
  readonly flow: CheckFlow
  readonly phone: PhonePairing
  state(): WindowState
  /** A window was opened and knows nothing yet. */
  opened(): void
  /** For calls about the session. */
  caller(): { readonly client: Client } | undefined
  join(code: string, server: string | undefined): Promise<Outcome>
  giveUp(): Promise<Outcome>
  dispatch(input: SessionInput): Promise<Outcome>
  answerLater(hash: string, answers: LaneAnswers): void
  dismiss(id: string): void
  setLocale(locale: string): Promise<void>
  /** The words of an open question follow the window's language; once they were answered they stay. */
  relocalise(): void
  changed(): void
}

/** What the session's service gives beside the session. */
const fromService = (parts: HandlerParts) => {
  const { options } = parts
  const client = () => parts.caller()?.client
  const onTrouble = (trouble: string): void => options.onTrouble?.(trouble)
  const { browser } = options.ports
  return {
    requests: new RequestsPage({ browser, client, address: () => parts.state().session?.requestsAddress, onTrouble }),
    logo: new BrandLogo({ client, address: () => parts.state().session?.brand?.logoUrl, onTrouble }),
  }
}

/** The window's commands, each where it belongs. */
export const createHandlers = (parts: HandlerParts): CommandHandlers => {
  const { flow, phone, options } = parts
  const { check } = flow
  const { ports, updates = noUpdates } = options
  const after = async (work: () => void | Promise<void>): Promise<Outcome> => {
    await work()
    parts.changed()
    return done
  }
  const { requests, logo } = fromService(parts)
  return {
    'state.read': async () => {
      parts.opened()
      return parts.state()
    },
    'session.join': ({ code, server }) => parts.join(code, server),
    'session.forget': () => parts.giveUp(),
    'consent.agree': ({ hash, answers }) => flow.agree(hash, answers),
    'consent.decline': async () => flow.decline(),
    'check.again': ({ lane }) => flow.within(() => check.again(lane)),
    'check.choose': ({ lane, deviceId }) => flow.within(() => check.choose(lane, deviceId)),
    'check.settings': async ({ lane }) => ((await ports.permissions.openSettings(lane)) ? done : outOfPlace),
    'check.speaker': () => flow.within(async () => check.listenForSpeaker()),
    'check.back': () =>
      flow.within(async () => {
        await flow.back()
        parts.relocalise()
      }),
    'check.done': () => flow.begin(),
    'recording.pause': () => parts.dispatch({ type: 'pause' }),
    'recording.resume': () => parts.dispatch({ type: 'resume' }),
    'recording.break': () => parts.dispatch({ type: 'take_break' }),
    'recording.withdraw': ({ lane }) => parts.dispatch({ type: 'withdraw', lane }),
    'recording.answer': async ({ hash, lane, agree }) => {
      if (agree && ports.permissions.status(lane) !== 'granted') await ports.permissions.ask(lane)
      // To words that have changed in this moment it counts for nothing: the window shows the new ones, to be answered.
      parts.answerLater(hash, { [lane]: agree })
      parts.changed()
      return done
    },
    'recording.end': () => parts.dispatch({ type: 'end', reason: 'completed' }),
    'phone.invite': async () => {
      const problem = await phone.invite()
      return problem ? refuse(problem) : done
    },
    'phone.cancel': () => after(() => phone.cancel()),
    'requests.open': () => requests.open(),
    'session.logo': async () => ({ picture: await logo.picture() }),
    'notice.dismiss': ({ id }) => after(() => parts.dismiss(id)),
    'app.locale': ({ locale }) =>
      after(async () => {
        await parts.setLocale(locale)
        parts.relocalise()
      }),
    'app.background': () => after(() => ports.window.hide()),
    'app.quit': () => after(() => ports.window.quit()),
    'update.install': async () => ((await updates.install()) ? done : outOfPlace),
  }
}
