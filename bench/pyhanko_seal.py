"""pyHanko as a contender: B-B with a PKCS#12 file, password "bench".

    pyhanko_seal.py file KEY.p12 OUTPUT INPUT   one file, or all of a folder into another
    pyhanko_seal.py rounds KEY.p12 INPUT        answers lines {"roundMs":N} with samples
"""

import io
import json
import logging
import os
import re
import resource
import sys
import time

from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import signers
from pyhanko.sign.fields import SigSeedSubFilter

logging.disable(logging.CRITICAL)


def sealer(key_path):
    signer = signers.SimpleSigner.load_pkcs12(key_path, passphrase=b"bench")
    metadata = signers.PdfSignatureMetadata(
        field_name="Seal", md_algorithm="sha256", subfilter=SigSeedSubFilter.PADES
    )
    pdf_signer = signers.PdfSigner(metadata, signer=signer)

    def seal(source, target):
        pdf_signer.sign_pdf(IncrementalPdfFileWriter(source), output=target)

    return seal


def peak_mib():
    with open("/proc/self/status", encoding="latin1") as status:
        return int(re.search(r"VmHWM:\s+(\d+) kB", status.read())[1]) / 1024


def seal_files(seal, target, source):
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
        pairs = [(os.path.join(source, n), os.path.join(target, n)) for n in os.listdir(source)]
    else:
        pairs = [(source, target)]
    for name, result in pairs:
        with open(name, "rb") as document, open(result, "w+b") as output:
            seal(document, output)
    with open(os.environ["BENCH_PEAK"], "w", encoding="ascii") as peak:
        peak.write(str(peak_mib()))


def cpu_ms():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return (usage.ru_utime + usage.ru_stime) * 1000


def run_for(seal, document, round_ms):
    count, cpu, wall = 0, cpu_ms(), time.perf_counter()
    while count == 0 or (time.perf_counter() - wall) * 1000 < round_ms:
        seal(io.BytesIO(document), io.BytesIO())
        count += 1
    wall_ms = (time.perf_counter() - wall) * 1000 / count
    cpu = (cpu_ms() - cpu) / count
    return {"count": count, "wallMs": wall_ms, "cpuMs": cpu, "peakMiB": peak_mib()}


def main(mode, key_path, *names):
    seal = sealer(key_path)
    if mode == "file":
        seal_files(seal, *names)
        return
    with open(names[0], "rb") as file:
        document = file.read()
    for line in sys.stdin:
        print(json.dumps(run_for(seal, document, json.loads(line)["roundMs"])), flush=True)


main(*sys.argv[1:])
