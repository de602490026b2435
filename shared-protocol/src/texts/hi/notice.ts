import type { Translated } from '../catalogue.ts'
import type { texts as en } from '../en/notice.ts'

export const texts: Translated<typeof en> = {
  'notice.controller': 'डेटा के लिए ज़िम्मेदार: {value}।',
  'notice.basis.consent': 'कानूनी आधार: उम्मीदवार की सहमति, जिसे वे ऐप्लिकेशन में कभी भी वापस ले सकते हैं।',
  'notice.basis.contract': 'कानूनी आधार: उम्मीदवार के साथ अनुबंध से पहले के कदमों के लिए {org} को साक्षात्कार चाहिए।',
  'notice.basis.legal_obligation': 'कानूनी आधार: कानून {org} से रिकॉर्डिंग की माँग करता है।',
  'notice.basis.legitimate_interests': 'कानूनी आधार: {org} का वैध हित। उम्मीदवार इस पर आपत्ति कर सकते हैं।',
  'notice.basis.public_task': 'कानूनी आधार: {org} जनहित का काम करता है।',
  'notice.contact': 'डेटा के बारे में पूछने या शिकायत करने का पता: {value}',
  'notice.alternative': 'जो रिकॉर्ड नहीं होना चाहते, उनके लिए {org} का विकल्प: {value}',
}
