interface Appointed {
  readonly schedule: { readonly startsAt: string } | null
}

const most = 5

/** Appointments that are still to come, the nearest first. */
export const nextOf = <Session extends Appointed>(sessions: readonly Session[], now: number): Session[] =>
  sessions
    .flatMap((session) => (session.schedule ? [{ session, at: Date.parse(session.schedule.startsAt) }] : []))
    .filter(({ at }) => at >= now)
    .sort((a, b) => a.at - b.at)
    .slice(0, most)
    .map(({ session }) => session)
