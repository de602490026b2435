import type { EndpointMap } from '@integrity/protocol'
import { type HandlerMap, prepared } from '../../../../kernel/handler.ts'
import { iso } from '../../../../kernel/time.ts'
import { type FreshProof, proveAnew } from '../sign-ins/reauthentication.service.ts'
import { beginTotp, confirmTotp } from './authenticator-app.service.ts'
import { readFactors, removeFactor, renewCodes } from './factors.service.ts'
import { addedView, factorsView } from './factors.view.ts'
import {
  addPasskey,
  type BegunPasskey,
  beginPasskey,
  checkPasskey,
  type MadePasskey,
  preparePasskey,
} from './passkeys.service.ts'

export const authFactorsRoutes = {
  'auth.factors.list': { read: async (call) => factorsView(await readFactors(call)) },
  'auth.factors.totp.begin': prepared<EndpointMap['auth.factors.totp.begin'], FreshProof>({
    prepare: (call, { body }) => proveAnew(call, body),
    write: async (call, _, proof) => {
      const { expiresAt, ...begun } = await beginTotp(call, proof)
      return { ...begun, expiresAt: iso(expiresAt) }
    },
  }),
  'auth.factors.totp.confirm': { write: async (call, { body }) => addedView(await confirmTotp(call, body)) },
  'auth.factors.passkeys.begin': prepared<EndpointMap['auth.factors.passkeys.begin'], BegunPasskey>({
    prepare: (call, { body }) => preparePasskey(call, body),
    write: async (call, _, begun) => {
      const { options, expiresAt } = await beginPasskey(call, begun)
      return { options: { ...options }, expiresAt: iso(expiresAt) }
    },
  }),
  'auth.factors.passkeys.add': prepared<EndpointMap['auth.factors.passkeys.add'], MadePasskey>({
    prepare: (call, { body }) => checkPasskey(call, body),
    write: async (call, { body }, made) => addedView(await addPasskey(call, { body, made })),
  }),
  'auth.factors.recoveryCodes.renew': prepared<EndpointMap['auth.factors.recoveryCodes.renew'], FreshProof>({
    prepare: (call, { body }) => proveAnew(call, body),
    write: async (call, _, proof) => ({ recoveryCodes: await renewCodes(call, proof) }),
  }),
  'auth.factors.remove': prepared<EndpointMap['auth.factors.remove'], FreshProof>({
    prepare: (call, { body }) => proveAnew(call, body),
    write: async (call, { params, body }, proof) => {
      await removeFactor(call, { id: params.factorId, proof, body })
      return { id: params.factorId, removed: true as const }
    },
  }),
} satisfies Partial<HandlerMap>
