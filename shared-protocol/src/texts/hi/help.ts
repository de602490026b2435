import type { Translated } from '../catalogue.ts'
import type { texts as en } from '../en/help.ts'

export const texts: Translated<typeof en> = {
  helpInviter: 'कोई सवाल? कृपया उनसे पूछें जिन्होंने आपको बुलाया है।',
  helpInviterNamed: 'कोई सवाल? कृपया {inviter} से पूछें।',
  helpManager: 'कोई सवाल? कृपया उनसे पूछें जो आपके संगठन में इस सेवा को संभालते हैं।',
  helpRequest: 'कोई सवाल? उसे अपने अनुरोध में लिख दें: हर अनुरोध कोई व्यक्ति पढ़ता है।',
  helpContact: 'आपके डेटा के बारे में सवाल: {contact}',
  helpSession: 'सत्र {id}',
}
