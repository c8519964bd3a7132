"""Mask a stream of letters as they come: each new JSONL file in a folder becomes rows of masked Parquet, once.

spark-submit examples/spark/stream.py letters/ masked/
"""

import sys

from pyspark.sql import SparkSession

from maskwise.scale.spark import sanitize

source, target = sys.argv[1:]
spark = SparkSession.builder.getOrCreate()
letters = spark.readStream.schema("key long, body string, sender string").json(source)
query = (
    sanitize(letters, "body", keep=("key",))  # the column `sender` is left out
    .writeStream.format("parquet")
    .option("checkpointLocation", f"{target}/_state")
    .trigger(availableNow=True)  # ends with what is there; `processingTime="10 seconds"` stays
    .start(target)
)
query.awaitTermination()
