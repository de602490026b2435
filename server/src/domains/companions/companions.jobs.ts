import * as z from 'zod'
import type { AppContext } from '../../app/context.ts'
import type { JobHandler } from '../../platform/jobs/jobs.ts'
import { lookAfterPhone, watchKind } from './presence.service.ts'

const payload = z.object({ companionId: z.string() })

export const companionsJobs = (app: () => AppContext): Readonly<Record<string, JobHandler>> => ({
  [watchKind]: async ({ scope, payload: given }) => {
    const { companionId } = payload.parse(given)
    await app().db.transact((tx) => lookAfterPhone(app(), tx, scope, companionId))
  },
})
