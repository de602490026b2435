import type { DataOf, EndpointMap } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import { type HandlerMap, prepared, Reply } from '../../../kernel/handler.ts'
import type { IssuedTokens } from '../../../kernel/sign-ins.ts'
import { signedInView } from './auth.view.ts'
import { askForLink, prepareReset, resetPassword } from './passwords/password-links.service.ts'
import { secondStepView } from './second-factor/factors.view.ts'
import { finishSignIn, type ProvenStep, proveSecondStep } from './second-factor/finishing.service.ts'
import { login, type ProvenLogin, proveLogin } from './sign-ins/login.service.ts'
import { logout } from './sign-ins/logout.service.ts'
import { renameSelf } from './sign-ins/own-name.service.ts'
import { refuseSpent, rotate } from './sign-ins/refresh.service.ts'
import { identityOf } from './sign-ins/sign-ins.service.ts'

const signedIn = async (call: Needs<'reader'>, who: Parameters<typeof identityOf>[1], tokens: IssuedTokens) =>
  new Reply(signedInView(await identityOf(call, who), tokens), { cookies: tokens })

export const authRoutes = {
  'auth.login': prepared<EndpointMap['auth.login'], ProvenLogin>({
    prepare: (call, input) =>
      proveLogin(call, { from: { address: call.address, refresh: call.cookies.refresh }, given: input.body }),
    write: async (call, _, proven): Promise<Reply<DataOf<EndpointMap['auth.login']>>> => {
      const done = await login(call, proven)
      return 'challengeToken' in done
        ? new Reply(secondStepView(done))
        : signedIn(call, { userId: proven.user.id, onlyIn: null }, done)
    },
  }),
  'auth.login.secondFactor': prepared<EndpointMap['auth.login.secondFactor'], ProvenStep>({
    prepare: (call, { body }) => proveSecondStep(call, body),
    write: async (call, { body }, proven) => {
      const { tokens, ...who } = await finishSignIn(call, { proven, locale: body.locale })
      return signedIn(call, who, tokens)
    },
  }),
  'auth.refresh': prepared<EndpointMap['auth.refresh'], void>({
    prepare: (call) => refuseSpent(call),
    write: async (call) => signedIn(call, { userId: call.actor.id, onlyIn: call.actor.onlyIn }, await rotate(call)),
  }),
  'auth.logout': {
    write: async (call) => {
      await logout(call, call.cookies)
      return new Reply({ signedOut: true as const }, { cookies: 'clear' })
    },
  },
  'auth.password.forgot': {
    write: async (call, { body }) => {
      await askForLink(call, body)
      return { accepted: true as const }
    },
  },
  'auth.password.reset': prepared<EndpointMap['auth.password.reset'], string>({
    prepare: (call, { body }) => prepareReset(call, body),
    write: async (call, { body }, passwordHash) => {
      await resetPassword(call, { body, passwordHash })
      return { reset: true as const }
    },
  }),
  'auth.me': {
    read: (call) => identityOf(call, { userId: call.actor.id, onlyIn: call.actor.onlyIn }),
  },
  'auth.me.rename': {
    write: async (call, { body }) => {
      await renameSelf(call, body)
      return identityOf({ ...call, reader: call.tx }, { userId: call.actor.id, onlyIn: call.actor.onlyIn })
    },
  },
} satisfies Partial<HandlerMap>
