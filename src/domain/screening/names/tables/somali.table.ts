/** Arabic names in Somali spelling (c for ayn, x for h, doubled long vowels) and in English. */
export const somaliSpellings: readonly string[] = (
  'maxamed mohamed,maxamuud mohamud,maxamud mohamud,axmed ahmed,xasan hassan,xassan hassan,' +
  'xuseen hussein,xusen hussein,xamse hamza,xamza hamza,xaliimo halimo,xaliima halima,' +
  'xawo hawo,xaawo hawo,xalimo halimo,xirsi hirsi,xaaji haji,xaashi hashi,xassan hassan,' +
  'xaydar haydar,xayder haydar,saalax salah,faarax farah,farax farah,raxma rahma,raxmo rahmo,' +
  'cali ali,cumar omar,cismaan osman,cusmaan osman,cisman osman,cabdi abdi,cabdalla abdullah,' +
  'cabdullaahi abdullahi,cabdulaahi abdullahi,cabdullahi abdullahi,cabdille abdille,' +
  'cabdiraxmaan abdirahman,cabdiraxman abdirahman,cabdirashiid abdirashid,' +
  'cabdirisaaq abdirizak,cabdirizaaq abdirizak,cabdikariim abdikarim,cabdicasiis abdiaziz,' +
  'cabdulcasiis abdiaziz,cabdulqaadir abdulkadir,cabdiqaadir abdikadir,cabdifataax abdifatah,' +
  'cabdisalaan abdisalam,cabdinaasir abdinasir,cabdiwali abdiwali,cabdiweli abdiweli,' +
  'cabdixakiim abdihakim,cabdullaah abdullah,caasha asha,caisha aisha,caynab aynab,' +
  'casha asha,ciise isse,cise isse,cigaal egal,cilmi elmi,cawad awad,cawil awil,caydiid aidid,' +
  'caydid aidid,carab arab,cartan artan,caarif arif,caamir amir,saciid said,sacid said,' +
  'sacdiya sadiya,jaamac jama,jamac jama,jimcaale jimale,jimcale jimale,ismaaciil ismail,' +
  'ismaciil ismail,ibraahim ibrahim,ibraahiim ibrahim,yuusuf yusuf,nuur nur,nuux nuh,' +
  'muuse muse,muuqtaar mukhtar,muqtaar mukhtar,mukhtaar mukhtar,daahir dahir,' +
  'shariif sharif,shaakir shakir,yaasiin yasin,yuunis yunis,sheekh sheikh,khaliif khalif,' +
  'khadiija khadija,faadumo fadumo,faaduma faduma,aamina amina,saynab zaynab'
).split(',');
