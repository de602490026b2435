import { appointmentLine } from '@integrity/protocol/clients/inviter'
import type { Pairing } from '../session/session.types.ts'
import { useLocale } from './use-texts.tsx'

/** When the interview takes place, on this phone's clock; undefined where there is no appointment, or no older service told of it. */
export const useAppointment = ({ schedule }: Pick<Partial<Pairing['session']>, 'schedule'>): string | undefined => {
  const locale = useLocale()
  return schedule ? appointmentLine(schedule, locale) : undefined
}
