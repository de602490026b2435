import type { EndpointMap } from '@integrity/protocol'
import { type HandlerMap, prepared, Reply } from '../../kernel/handler.ts'
import type { AppContext } from '../../kernel/parts.ts'
import type { Tx } from '../../platform/db/types.ts'
import { clearingCookies, type IssuedTokens, readPortalCookies, settingCookies } from './auth.cookies.ts'
import { signedInView } from './auth.view.ts'
import { login, type ProvenLogin, proveLogin } from './login.service.ts'
import { logout } from './logout.service.ts'
import { refuseSpent, rotate } from './refresh.service.ts'
import { identityOf } from './sign-ins.service.ts'

const signedIn = async (app: AppContext, tx: Tx, userId: string, tokens: IssuedTokens) =>
  new Reply(signedInView(await identityOf(tx, userId), tokens), {
    headers: settingCookies(tokens, app.config.baseUrl),
  })

export const authRoutes = {
  'auth.login': prepared<EndpointMap['auth.login'], ProvenLogin>({
    prepare: ({ app, address, input }) => proveLogin(app, address, input.body),
    write: async ({ app, tx }, proven) => signedIn(app, tx, proven.user.id, await login(app, tx, proven)),
  }),
  'auth.refresh': prepared<EndpointMap['auth.refresh'], void>({
    prepare: ({ app, actor }) => refuseSpent(app, actor),
    write: async ({ app, tx, actor }) => signedIn(app, tx, actor.id, await rotate(app, tx, actor)),
  }),
  'auth.logout': {
    write: async ({ app, tx, headers }) => {
      await logout(app, tx, readPortalCookies(headers.cookie))
      return new Reply({ signedOut: true as const }, { headers: clearingCookies(app.config.baseUrl) })
    },
  },
  'auth.me': {
    read: ({ app, actor }) => identityOf(app.db.reader, actor.id),
  },
} satisfies Partial<HandlerMap>
