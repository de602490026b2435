import * as z from 'zod'
import type { JobHandler } from '../../kernel/jobs/jobs.ts'
import type { AppContext } from '../../kernel/parts.ts'
import { lookAfterPhone, watchKind } from './presence.service.ts'

const payload = z.object({ companionId: z.string() })

export const companionsJobs = (app: () => AppContext): Readonly<Record<string, JobHandler>> => ({
  [watchKind]: async ({ scope, payload: given }) => {
    const { companionId } = payload.parse(given)
    await app().db.transact((tx) => lookAfterPhone(app(), tx, scope, companionId))
  },
})
