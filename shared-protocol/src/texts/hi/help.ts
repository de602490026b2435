import type { Translated } from '../catalogue.ts'
import type { texts as en } from '../en/help.ts'

export const texts: Translated<typeof en> = {
  helpInviter: 'कोई सवाल? कृपया उनसे पूछें जिन्होंने आपको बुलाया है।',
  helpContact: 'आपके डेटा के बारे में सवाल: {contact}',
  helpSession: 'सत्र {id}',
}
